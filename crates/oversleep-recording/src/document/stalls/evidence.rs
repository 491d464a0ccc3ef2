//! What a stall is put down to, and what that rests on.

use crate::document::breakdown::Owner;
use crate::trace::{ProcessorCounters, ThreadCounters};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// What a stall is put down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StallKind {
    /// The control group's quota was used up.
    Quota,
    /// A system-management interrupt.
    Smi,
    /// The host ran something else in the virtual processor's place.
    Stolen,
    /// Several processors stalled at once: the host or an SMI.
    AtOnce,
    /// No kernel event and no counter accounts for it.
    Unseen,
    /// By the trace: the first owner that is named.
    Owner,
    /// By the counters: another thread ran.
    Preempted,
    /// By the counters: an interrupt.
    Interrupt,
    /// No other thread ran; interrupts were not read.
    InterruptsUnread,
    /// No counter was read.
    CountersUnread,
}

impl StallKind {
    /// Returns a phrase that is the same for all of its kind; empty for owners and interrupts, which have names.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Quota => "control group's quota",
            Self::Smi => "system-management interrupt",
            Self::Stolen => "stolen by the host",
            Self::AtOnce => "several processors at once: host or SMI",
            Self::Unseen => "outside the kernel's sight: host, SMI or hardware",
            Self::Preempted => "another thread ran",
            Self::InterruptsUnread => {
                "no other thread; interrupts not read, for that had cost its twentieth of the time"
            }
            Self::CountersUnread => "counters not read, for that had cost its twentieth of the time",
            Self::Owner | Self::Interrupt => "",
        }
    }

    /// Returns whether it happens beyond what the kernel can see.
    pub const fn is_beyond_the_kernel(self) -> bool {
        matches!(self, Self::Smi | Self::Stolen | Self::AtOnce | Self::Unseen)
    }
}

/// What is known of one stall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StallEvidence {
    /// What it is put down to.
    pub kind: StallKind,
    /// Who had the processor by the trace, the most first, each with its time in ns; together the length. `sleeper` is the
    /// watching thread: time that no kernel event accounts for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owners: Option<Vec<(Owner, Nanos)>>,
    /// By how much the watching thread's own counters grew, if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadCounters>,
    /// How many stalls before this one that growth covers too.
    pub thread_since: u32,
    /// By how much the processor's counters grew, if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<ProcessorCounters>,
    /// How many stalls before this one that growth covers too.
    pub processor_since: u32,
}
