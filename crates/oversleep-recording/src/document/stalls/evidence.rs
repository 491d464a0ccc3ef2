//! The kinds of stalls, and the evidence for them.

use crate::document::breakdown::Owner;
use crate::trace::{ProcessorCounters, ThreadCounters};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// The kind of cause of a stall.
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
    /// According to the trace: the first identified owner of the processor.
    Owner,
    /// According to the counters: another thread ran.
    Preempted,
    /// According to the counters: an interrupt.
    Interrupt,
    /// No other thread ran; the interrupt counters were not read.
    InterruptsUnread,
    /// No counter was read.
    CountersUnread,
}

impl StallKind {
    /// Returns a phrase that is the same for all stalls of this kind; empty for owners and interrupts, which have
    /// names.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Quota => "control group's quota",
            Self::Smi => "system-management interrupt",
            Self::Stolen => "stolen by the host",
            Self::AtOnce => "several processors at once: host or SMI",
            Self::Unseen => "outside the kernel's sight: host, SMI or hardware",
            Self::Preempted => "another thread ran",
            Self::InterruptsUnread => {
                "no other thread; interrupts not read: that had used up its twentieth of the time"
            }
            Self::CountersUnread => "counters not read: that had used up its twentieth of the time",
            Self::Owner | Self::Interrupt => "",
        }
    }

    /// Returns whether the kernel cannot see the cause.
    pub const fn is_beyond_the_kernel(self) -> bool {
        matches!(self, Self::Smi | Self::Stolen | Self::AtOnce | Self::Unseen)
    }
}

/// The evidence about one stall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StallEvidence {
    /// Kind of cause.
    pub kind: StallKind,
    /// Who used the processor according to the trace, the longest first, with times that sum to the stall's length.
    /// `sleeper` is the watching thread: time that no kernel event accounts for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owners: Option<Vec<(Owner, Nanos)>>,
    /// Increase of the watching thread's own counters, if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadCounters>,
    /// Number of earlier stalls that this increase covers too.
    pub thread_since: u32,
    /// Increase of the processor's counters, if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<ProcessorCounters>,
    /// Number of earlier stalls that this increase covers too.
    pub processor_since: u32,
}
