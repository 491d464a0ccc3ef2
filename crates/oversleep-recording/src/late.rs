//! Sleeps that were later than allowed, with the records around them.

use crate::RefusedTier;
use crate::trace::{KernelEvents, OwnSwitches, ThreadCounters};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// One late sleep. The sample's own times are repeated here, so that the sleep can be explained without its sample.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LateSleep {
    /// Number of the sample's cell.
    pub cell: u32,
    /// Number of the sample's thread.
    pub thread: u16,
    /// Number of the sample.
    pub sequence: u64,
    /// Requested duration.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// The deadline, for sleeps that have one.
    #[serde(rename = "deadline_ns", skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Nanos>,
    /// Time of the cell's clock before the call.
    #[serde(rename = "start_ns")]
    pub start: Nanos,
    /// Time of the cell's clock after the call.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// Lateness.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// The processor on which it ended, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u16>,
    /// Thread ID given by the system, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tid: Option<i32>,
    /// Whether the thread was watched and sleeps on the clock of its timer. Of other sleeps only the lateness is known.
    pub watched: bool,
    /// Kernel events around the sleep; `None` where none were recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<KernelEvents>,
    /// The thread's own switch records around the sleep.
    #[serde(skip_serializing_if = "OwnSwitches::is_empty")]
    pub own: OwnSwitches,
    /// Increase of the scheduler's counters during the sleep.
    #[serde(skip_serializing_if = "ThreadCounters::is_empty")]
    pub counted: ThreadCounters,
    /// Tiers of evidence that were not available, with reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedTier>,
    /// File with the part of the trace around the sleep, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}
