//! Traced sleeps: the records of the kernel and the scheduler around them.

use crate::trace::{CountedSleeps, KernelEvents, OwnSwitches, Tier};
use oversleep_sys::Refusal;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a cell's sleeps were traced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracing {
    /// ID of the cell.
    pub cell: u32,
    /// Tier of evidence that was available.
    pub tier: Tier,
    /// Whether the thread's own switch records were available too.
    #[serde(default)]
    pub own_switches: bool,
    /// Reasons why each higher tier was not available.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedTier>,
    /// Events that this kernel lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// Conditions that were requested and could not be had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions_refused: Vec<Missing>,
    /// Reason why tracing ended early, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Refusal>,
}

/// A tier that was not available, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefusedTier {
    /// Tier of evidence.
    pub tier: Tier,
    /// Reason.
    pub why: Refusal,
}

impl fmt::Display for RefusedTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tier.not_used(&self.why))
    }
}

/// Something that was not available, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Missing {
    /// What was not available.
    pub what: String,
    /// Reason.
    pub why: Refusal,
}

/// Records around a block of traced sleeps, which are the samples numbered `first` to `first + sleeps − 1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TracedSleeps {
    /// ID of the sleeps' cell.
    pub cell: u32,
    /// Number of the cell's thread that slept.
    pub thread: u16,
    /// Thread ID of that thread, given by the system.
    pub tid: i32,
    /// Number of the first sleep's sample.
    pub first: u64,
    /// Number of sleeps.
    pub sleeps: u64,
    /// Kernel events from the start of the first sleep to the end of the last, and those needed to tell who used
    /// each processor in that time.
    #[serde(skip_serializing_if = "KernelEvents::is_empty")]
    pub events: KernelEvents,
    /// The thread's own switch records over the same time.
    #[serde(skip_serializing_if = "OwnSwitches::is_empty")]
    pub own: OwnSwitches,
    /// Increase of the scheduler's counters during each sleep.
    #[serde(skip_serializing_if = "CountedSleeps::is_empty")]
    pub counted: CountedSleeps,
}
