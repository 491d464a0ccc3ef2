//! How long processors were watched, and what took their time.

use super::trace::{KernelEvents, ProcessorCounters, ThreadCounters};
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

impl LateAccount {
    /// Returns the counts of this run and of one after it, with the same threshold.
    #[must_use]
    pub fn with(self, later: &Self) -> Self {
        Self {
            threshold: later.threshold,
            planned: self.planned + later.planned,
            slept: self.slept + later.slept,
            late: self.late + later.late,
            found: self.found + later.found,
            stopped: self.stopped || later.stopped,
            after_stop: self.after_stop + later.after_stop,
            cut: self.cut + later.cut,
        }
    }
}

/// The thread that watches a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watcher {
    /// ID of the cell whose samples are the processor's stalls.
    pub cell: u32,
    /// Thread ID, as kernel events name it.
    pub thread_id: i32,
}

/// One window in which all watched processors ran a busy loop, with the stalls that ended in it.
///
/// A window lists at most [`StallWindow::MOST`] stalls of a processor, so its size is bounded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StallWindow {
    /// Opening of the window, on the monotonic clock.
    #[serde(rename = "from_ns")]
    pub from: Nanos,
    /// When the last processor had left the window.
    #[serde(rename = "until_ns")]
    pub until: Nanos,
    /// Stalls about which more is known than their times.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stalls: Vec<Stall>,
    /// Kernel events of the watched processors from [`StallWindow::MARGIN`] before each stall to as long after it;
    /// `None` where none were recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<KernelEvents>,
}

impl StallWindow {
    /// The maximum number of listed stalls per processor; further ones are only counted.
    pub const MOST: usize = 1 << 16;
    /// Kernel events this close to a stall are kept: the ends of a stall are known on the monotonic clock only to some
    /// tens of nanoseconds.
    pub const MARGIN: Nanos = Nanos::from_micros(2);
}

/// Counters read after one stall.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stall {
    /// ID of the sample's cell.
    pub cell: u32,
    /// Number of the sample.
    pub sequence: u64,
    /// Increase of the watching thread's own counters; `None` if they were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadCounters>,
    /// Number of earlier stalls that this increase covers too.
    #[serde(skip_serializing_if = "is_zero")]
    pub thread_since: u32,
    /// Increase of the processor's counters; `None` if they were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<ProcessorCounters>,
    /// Number of earlier stalls that this increase covers too.
    #[serde(skip_serializing_if = "is_zero")]
    pub processor_since: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_comes_back_from_json_and_says_nothing_of_what_was_not_read() {
        let read = Stall {
            cell: 1,
            sequence: 7,
            thread: Some(ThreadCounters { preempted: Some(1), ..ThreadCounters::default() }),
            thread_since: 2,
            processor: Some(ProcessorCounters {
                interrupts: Some(vec![("local timer".to_owned(), 3)]),
                smi: Some(0),
                ..ProcessorCounters::default()
            }),
            processor_since: 0,
        };
        let unread = Stall { cell: 1, sequence: 8, ..Stall::default() };
        let window = StallWindow {
            from: Nanos::new(5),
            until: Nanos::new(9),
            stalls: vec![read, unread],
            events: Some(KernelEvents::default()),
        };
        let json = serde_json::to_string(&window).unwrap();
        assert!(json.contains(r#"{"cell":1,"sequence":8}"#), "{json}");
        assert_eq!(serde_json::from_str::<StallWindow>(&json).unwrap(), window);
    }
}
