//! A sleep that was later than allowed, and what was recorded around it.

use crate::RefusedTier;
use crate::trace::{KernelEvents, OwnSwitches, ThreadCounters};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// One late sleep. The sample's own times stand here again, so that it can be explained without its sample.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LateSleep {
    /// The sample's cell.
    pub cell: u32,
    /// Its thread.
    pub thread: u16,
    /// Its number.
    pub sequence: u64,
    /// What was asked.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// The deadline, for sleeps that have one.
    #[serde(rename = "deadline_ns", skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Nanos>,
    /// The cell's clock before the call.
    #[serde(rename = "start_ns")]
    pub start: Nanos,
    /// The same after it.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// How late it was.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// The processor on which it ended, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u16>,
    /// The system's number of the thread, where it is known which one slept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tid: Option<i32>,
    /// Whether its thread was watched on the clock of its timer. Of other sleeps nothing is known but their length.
    pub watched: bool,
    /// Kernel events around it; `None` where none were recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<KernelEvents>,
    /// The thread's own switches around it.
    #[serde(skip_serializing_if = "OwnSwitches::is_empty")]
    pub own: OwnSwitches,
    /// What the scheduler counted during it.
    #[serde(skip_serializing_if = "ThreadCounters::is_empty")]
    pub counted: ThreadCounters,
    /// Why tiers of evidence could not be had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedTier>,
    /// The file that holds the part of the trace around it as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}
