//! Kernel events of a stretch of time, and their form in a file.

use super::columns::Columns;
use super::event::{Event, Kind};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What the kernel recorded during a stretch of time.
///
/// As JSON it is a table by columns with times as differences (see [`Columns`]): some 30 bytes an event. Timers are
/// numbered in the order in which they first appear, as their numbers in the kernel are addresses of its memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Columns", try_from = "Columns")]
pub struct KernelEvents {
    /// Events of all processors, in order of time.
    pub events: Vec<Event>,
    /// Where events were lost: the ring was full, or a page could not be read.
    pub gaps: Vec<Gap>,
}

impl KernelEvents {
    /// Returns whether nothing was recorded, and nothing lost.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.gaps.is_empty()
    }

    /// Returns the same with timers numbered as a file has them, without the kernel's addresses.
    #[must_use]
    pub fn without_addresses(mut self) -> Self {
        let mut numbers: HashMap<i64, i64> = HashMap::new();
        for event in &mut self.events {
            if let Kind::TimerStart { timer, .. } | Kind::TimerExpire { timer, .. } = &mut event.kind {
                let next = i64::try_from(numbers.len()).unwrap_or(i64::MAX);
                *timer = *numbers.entry(*timer).or_insert(next);
            }
        }
        self
    }
}

/// Records lost on a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Where.
    pub cpu: u16,
    /// The last time known before the loss.
    #[serde(rename = "from_ns")]
    pub from: Nanos,
    /// The first time known after it.
    #[serde(rename = "until_ns")]
    pub until: Nanos,
    /// How many; 0 where the kernel does not say.
    pub records: u64,
}
