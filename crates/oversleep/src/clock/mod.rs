//! Clocks, points in time on each ([`Time`]), and sleeping on any of them.
//!
//! | clock | its points | its time |
//! | --- | --- | --- |
//! | monotonic: never set back | [`Moment`] | [`now`] |
//! | the same, from the processor's counter: cheaper | [`Moment`] | [`CounterClock`] |
//! | wall clock: UTC, can be set | [`WallTime`] | [`wall_now`] |
//! | [`Boot`]: since boot, also while suspended | [`Time<Boot>`](Time) | [`Time::now`] |
//! | [`Atomic`]: the wall clock without leap seconds | [`Time<Atomic>`](Time) | [`Time::now`] |

mod compare;
mod counter;
mod counter_and_clock;
mod disciplined;
mod mapping;
mod published;
mod sleep;
mod time;
mod timeline;

pub use counter::{Calibration, CounterClock};
pub use sleep::kernel_sleep_until;
pub use time::{Atomic, Boot, Clock, FARTHEST_DEADLINE, Moment, Monotonic, Time, Wall, WallTime};

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
