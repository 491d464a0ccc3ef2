//! What a recording says beyond its samples: how long processors were watched, and what is known of single samples.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// How a processor's time was spent while it was watched for stalls. `elapsed = spun + stalled + looked + paused`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Watched {
    /// The cell whose samples are its stalls.
    pub cell: u32,
    /// The processor.
    pub cpu: u32,
    /// Two readings of the counter are usually so far apart.
    #[serde(rename = "floor_ns")]
    pub floor: Nanos,
    /// A longer distance is a stall.
    #[serde(rename = "threshold_ns")]
    pub threshold: Nanos,
    /// When the first window opened, on the monotonic clock.
    #[serde(rename = "begun_ns")]
    pub begun: Nanos,
    /// From then to the end of the run.
    #[serde(rename = "elapsed_ns")]
    pub elapsed: Nanos,
    /// Between readings that were no stall.
    #[serde(rename = "spun_ns")]
    pub spun: Nanos,
    /// In stalls.
    #[serde(rename = "stalled_ns")]
    pub stalled: Nanos,
    /// Reading counters after stalls.
    #[serde(rename = "looked_ns")]
    pub looked: Nanos,
    /// Between windows, when the processor was left to others.
    #[serde(rename = "paused_ns")]
    pub paused: Nanos,
    /// Readings of the counter.
    pub readings: u64,
    /// Stalls.
    pub stalls: u64,
    /// Of these, stalls that found no room in the list: counted and in `stalled`, but no samples.
    pub unlisted: u64,
    /// Readings that went backwards.
    pub backwards: u64,
}

/// What is known of one sample: a stall, or a sleep that was later than allowed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mark {
    /// The sample's cell.
    pub cell: u32,
    /// Its thread.
    pub thread: u16,
    /// Its number.
    pub sequence: u64,
    /// The processor it was seen on, where known.
    pub cpu: Option<u16>,
    /// When it was seen, on the sample's clock: a sleep's end, a stall's beginning.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// How late, or how long.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// What is known of it, in one sentence.
    pub explanation: String,
    /// What it is put down to, in one phrase that is the same for all of its kind.
    pub cause: String,
    /// What the explanation rests on: `trace`, `switches`, `counters`, `slack`, `none`.
    pub witness: String,
    /// Why nothing better could be had; empty if nothing better is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Processors that stalled at the same time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<u32>,
    /// The file that holds the part of the trace around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// What one cause took of a processor, all stalls together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Took {
    /// The cell.
    pub cell: u32,
    /// The cause.
    pub cause: String,
    /// How long. By the trace, what it had of each stall; by counters, all of the stalls that are put down to it.
    #[serde(rename = "time_ns")]
    pub time: Nanos,
    /// In how many stalls.
    pub stalls: u64,
}

/// The account of a run that watched for late sleeps. What was planned was slept, skipped by a schedule, or cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateAccount {
    /// Later than this is late.
    #[serde(rename = "threshold_ns")]
    pub threshold: Nanos,
    /// Sleeps planned.
    pub planned: u64,
    /// Sleeps made.
    pub slept: u64,
    /// Of these, late ones.
    pub late: u64,
    /// Late ones that were examined; the rest are counted only.
    pub found: u64,
    /// Whether a late sleep ended the run.
    pub stopped: bool,
    /// Sleeps made after that one, until the stop was heard.
    pub after_stop: u64,
    /// Planned sleeps never made.
    pub cut: u64,
}
