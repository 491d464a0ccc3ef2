//! Kernel events of a time range, and their form in a file.

use super::columns::Columns;
use super::event::{Event, EventKind};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The kernel events of a time range.
///
/// In JSON they are a table of columns with times as differences (see [`Columns`]): about 30 bytes per event. Timers
/// are numbered in the order in which they first appear, because the kernel identifies them by memory addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Columns", try_from = "Columns")]
pub struct KernelEvents {
    /// Events of all processors, in order of time.
    pub events: Vec<Event>,
    /// Gaps where events were lost: the ring buffer was full, or a page could not be read.
    pub gaps: Vec<Gap>,
}

impl KernelEvents {
    /// Returns whether there are neither events nor gaps.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.gaps.is_empty()
    }

    /// Returns the same events with timers numbered as in a file, without the kernel's addresses.
    #[must_use]
    pub fn without_addresses(mut self) -> Self {
        let mut numbers: HashMap<i64, i64> = HashMap::new();
        for event in &mut self.events {
            if let EventKind::TimerStart { timer, .. }
            | EventKind::TimerExpire { timer, .. }
            | EventKind::TimerCancel { timer } = &mut event.kind
            {
                let next = i64::try_from(numbers.len()).unwrap_or(i64::MAX);
                *timer = *numbers.entry(*timer).or_insert(next);
            }
        }
        self
    }
}

/// A gap in a processor's records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Number of the processor.
    pub cpu: u16,
    /// Last known time before the gap.
    #[serde(rename = "from_ns")]
    pub from: Nanos,
    /// First known time after the gap.
    #[serde(rename = "until_ns")]
    pub until: Nanos,
    /// Number of records lost; 0 where the kernel does not say.
    pub records: u64,
}
