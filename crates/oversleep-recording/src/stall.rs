//! How long processors were watched, and what took their time.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// How the time of a processor was spent while it was watched for stalls. `elapsed = spun + stalled + looked + paused`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WatchedCpu {
    /// ID of the cell whose samples are the stalls.
    pub cell: u32,
    /// Number of the processor.
    pub cpu: u32,
    /// Usual distance of two readings of the counter.
    #[serde(rename = "floor_ns")]
    pub floor: Nanos,
    /// Threshold: a longer distance is a stall.
    #[serde(rename = "threshold_ns")]
    pub threshold: Nanos,
    /// Opening of the first window, on the monotonic clock.
    #[serde(rename = "begun_ns")]
    pub begun: Nanos,
    /// Time from then to the end of the run.
    #[serde(rename = "elapsed_ns")]
    pub elapsed: Nanos,
    /// Time between readings that was not a stall.
    #[serde(rename = "spun_ns")]
    pub spun: Nanos,
    /// Time in stalls.
    #[serde(rename = "stalled_ns")]
    pub stalled: Nanos,
    /// Time spent reading counters after stalls.
    #[serde(rename = "looked_ns")]
    pub looked: Nanos,
    /// Time between windows, when the processor was left to others.
    #[serde(rename = "paused_ns")]
    pub paused: Nanos,
    /// Number of readings of the counter.
    pub readings: u64,
    /// Number of stalls.
    pub stalls: u64,
    /// Of these, stalls for which the list had no room: they are counted and included in `stalled`, but have no
    /// samples.
    pub unlisted: u64,
    /// Number of readings below the previous one.
    pub backwards: u64,
}

impl WatchedCpu {
    /// Returns for how long the processor was watched.
    pub fn watched(&self) -> Nanos {
        self.spun + self.stalled + self.looked
    }
}

/// The time that one cause took from a processor, all stalls together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CauseTime {
    /// ID of the cell.
    pub cell: u32,
    /// Name of the cause.
    pub cause: String,
    /// Total time. According to the trace, its part of each stall; according to counters, all stalls attributed to it.
    #[serde(rename = "time_ns")]
    pub time: Nanos,
    /// Number of stalls.
    pub stalls: u64,
}

/// Counts of a run that watched for late sleeps. Each planned sleep was made, skipped by a schedule, or cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateAccount {
    /// Threshold: a sleep later than this is late.
    #[serde(rename = "threshold_ns")]
    pub threshold: Nanos,
    /// Number of sleeps planned.
    pub planned: u64,
    /// Number of sleeps made.
    pub slept: u64,
    /// Of these, late sleeps.
    pub late: u64,
    /// Of these, sleeps that were examined; the rest are only counted.
    pub found: u64,
    /// Whether a late sleep ended the run.
    pub stopped: bool,
    /// Number of sleeps made after that one, until the run had stopped.
    pub after_stop: u64,
    /// Number of planned sleeps never made.
    pub cut: u64,
}
