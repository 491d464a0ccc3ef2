//! Sleeps that were traced: what the kernel and the scheduler recorded while they were slept.

use crate::trace::{CountedSleeps, KernelEvents, OwnSwitches, Tier};
use oversleep_sys::Refusal;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a cell's sleeps were traced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracing {
    /// The cell.
    pub cell: u32,
    /// The tier of evidence that was reached.
    pub tier: Tier,
    /// Whether the thread's own switch records were there too.
    #[serde(default)]
    pub own_switches: bool,
    /// Why each higher tier could not be had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedTier>,
    /// Events that this kernel lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// Conditions that were asked for and could not be had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions_refused: Vec<Missing>,
    /// Why tracing ended before its time, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Refusal>,
}

/// A tier that could not be had, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefusedTier {
    /// The tier.
    pub tier: Tier,
    /// Why not.
    pub why: Refusal,
}

impl fmt::Display for RefusedTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not by {}: {}", self.tier.name(), self.why)
    }
}

/// Something that could not be had, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Missing {
    /// What.
    pub what: String,
    /// Why not.
    pub why: Refusal,
}

/// What was recorded around a block of traced sleeps, the samples numbered `first` to `first + sleeps − 1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TracedSleeps {
    /// The sleeps' cell.
    pub cell: u32,
    /// Which of the cell's threads slept.
    pub thread: u16,
    /// The system's number of that thread.
    pub tid: i32,
    /// The sample of the first sleep.
    pub first: u64,
    /// How many sleeps.
    pub sleeps: u64,
    /// Kernel events from the start of the first sleep to the end of the last, and what must be known to tell who had
    /// each processor meanwhile.
    #[serde(skip_serializing_if = "KernelEvents::is_empty")]
    pub events: KernelEvents,
    /// The thread's own switches over the same time.
    #[serde(skip_serializing_if = "OwnSwitches::is_empty")]
    pub own: OwnSwitches,
    /// What the scheduler counted during each sleep.
    #[serde(skip_serializing_if = "CountedSleeps::is_empty")]
    pub counted: CountedSleeps,
}
