//! Evidence about stalls: counters and kernel events. Their times are in the samples of the same recording.

use crate::trace::{KernelEvents, ProcessorCounters, ThreadCounters};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

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
