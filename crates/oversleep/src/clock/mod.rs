//! Monotonic time in two forms: the system's clock, and a counter read without a system call.

mod compare;
mod counter;
mod counter_and_clock;
mod disciplined;
mod mapping;
mod published;
mod timeline;

pub use counter::{Calibration, CounterClock};

use crate::{Moment, WallTime};
// What threads share uses these through this module: the package `interleavings` compiles the same files with loom's.
use std::sync::atomic;

/// Returns the time of the system's monotonic clock: never set back, steered in rate only.
///
/// Linux: `CLOCK_MONOTONIC`, stops while suspended. macOS: `CLOCK_UPTIME_RAW`, stops while suspended. Windows:
/// `QueryPerformanceCounter`, continues while suspended.
///
/// ```
/// let before = oversleep::now();
/// let after = oversleep::now();
/// assert!(after >= before);
/// ```
#[inline]
pub fn now() -> Moment {
    Moment::from_nanos(oversleep_sys::clock::monotonic())
}

/// Returns the time of the wall clock: UTC, since 1970. It can be set.
#[inline]
pub fn wall_now() -> WallTime {
    WallTime::from_nanos(oversleep_sys::clock::realtime())
}
