//! What the scheduler counts of a thread.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Counters of the calling thread; differences between two readings say what happened in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ThreadCounters {
    /// Time spent runnable but not running (`/proc/thread-self/schedstat`). Stays where it is for a wake-up that
    /// preempts at once, because the kernel then skips the clock update: a lower bound.
    #[serde(rename = "run_delay_ns", skip_serializing_if = "Option::is_none")]
    pub run_delay: Option<Nanos>,
    /// Involuntary switches (`getrusage`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preempted: Option<i64>,
    /// Time the thread's control group was kept from running by its quota, all of its threads together.
    #[serde(rename = "throttled_ns", skip_serializing_if = "Option::is_none")]
    pub throttled: Option<Nanos>,
}
