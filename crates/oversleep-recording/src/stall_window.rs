//! What was seen of stalls: counters and kernel events. The samples of the same recording hold their times.

use crate::trace::{KernelEvents, ProcessorCounters, ThreadCounters};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// The thread that watches a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watcher {
    /// The cell whose samples are the processor's stalls.
    pub cell: u32,
    /// The thread's number, as kernel events name it.
    pub thread_id: i32,
}

/// One window in which all watched processors were spun on, with the stalls that ended in it.
///
/// A window lists at most [`StallWindow::MOST`] stalls of a processor, so its size is bounded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StallWindow {
    /// When it was opened, on the monotonic clock.
    #[serde(rename = "from_ns")]
    pub from: Nanos,
    /// When the last processor had left it.
    #[serde(rename = "until_ns")]
    pub until: Nanos,
    /// Its stalls, those of which anything is known beyond their times.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stalls: Vec<Stall>,
    /// Kernel events of the watched processors from [`StallWindow::MARGIN`] before each stall to as long after it; `None`
    /// where none were recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<KernelEvents>,
}

impl StallWindow {
    /// The most stalls of one processor that are listed; more are counted.
    pub const MOST: usize = 1 << 16;
    /// Kernel events this close to a stall are kept: a stall's ends are times of the monotonic clock to some tens of
    /// nanoseconds only.
    pub const MARGIN: Nanos = Nanos::from_micros(2);
}

/// What counters said after one stall.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stall {
    /// The sample's cell.
    pub cell: u32,
    /// The sample's number.
    pub sequence: u64,
    /// By how much the watching thread's own counters grew; `None` if they were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadCounters>,
    /// How many stalls before this one that growth covers too.
    #[serde(skip_serializing_if = "is_zero")]
    pub thread_since: u32,
    /// By how much the processor's counters grew; `None` if they were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<ProcessorCounters>,
    /// How many stalls before this one that growth covers too.
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
