//! Mach, the base of Apple's systems: its time and its absolute wait.

use crate::units::Nanos;
use std::sync::OnceLock;

/// Success (`KERN_SUCCESS`, `<mach/kern_return.h>`).
pub const SUCCESS: i32 = 0;

unsafe extern "C" {
    fn mach_wait_until(deadline: u64) -> i32;
}

/// Returns nanoseconds per tick as a fraction: 1/1 on Intel, 125/3 on Apple silicon. Read once.
#[allow(deprecated)] // the `mach2` crate would be a dependency for one structure
pub fn timebase() -> (u32, u32) {
    static TIMEBASE: OnceLock<(u32, u32)> = OnceLock::new();
    *TIMEBASE.get_or_init(|| {
        let mut info = libc::mach_timebase_info { numer: 0, denom: 0 };
        // SAFETY: the call fills the structure, which outlives it.
        unsafe { libc::mach_timebase_info(&raw mut info) };
        (info.numer.max(1), info.denom.max(1))
    })
}

/// Converts a time to ticks, rounded up. A deadline on `CLOCK_UPTIME_RAW`, which is `mach_absolute_time` in
/// nanoseconds, converts without an offset.
pub fn to_ticks(time: Nanos) -> u64 {
    let (numerator, denominator) = timebase();
    let ns = u128::try_from(time.get()).unwrap_or(0);
    let ticks = (ns * u128::from(denominator)).div_ceil(u128::from(numerator));
    u64::try_from(ticks).unwrap_or(u64::MAX)
}

/// Converts ticks to a time, rounded down.
pub fn nanos(ticks: u32) -> Nanos {
    let (numerator, denominator) = timebase();
    let ns = u128::from(ticks) * u128::from(numerator) / u128::from(denominator);
    Nanos::new(i64::try_from(ns).unwrap_or(i64::MAX))
}

/// Waits until `mach_absolute_time` reaches a number of ticks; returns at once if it has passed.
#[inline]
pub fn wait_until(deadline: u64) -> i32 {
    // SAFETY: takes no pointer.
    unsafe { mach_wait_until(deadline) }
}
