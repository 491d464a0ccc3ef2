//! Context switches of a single thread, as the kernel reports them to the thread itself.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A context switch of one thread, as the kernel told the thread itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnSwitch {
    /// When, on the monotonic clock.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// Onto the processor, or off it.
    pub to: Direction,
    /// Which processor.
    pub cpu: u16,
}

/// Which way a thread was switched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// It began to run.
    In,
    /// It stopped running of its own accord: it sleeps or waits.
    OutWaiting,
    /// It stopped running although it wanted to go on. (Kernels before 4.17 call every switch off so waiting.)
    OutPreempted,
}
