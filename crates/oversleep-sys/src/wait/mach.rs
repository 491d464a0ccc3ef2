//! `mach_wait_until`, macOS' one absolute sleep (Technical Note TN2169).

use crate::clock::TimerClock;
use crate::clock::{self, Reader};
use crate::units::Nanos;
use std::sync::OnceLock;

unsafe extern "C" {
    fn mach_wait_until(deadline: u64) -> libc::c_int;
}

/// Returns early only by an abort of the thread's wait.
pub(super) fn monotonic(deadline: Nanos) {
    // `CLOCK_UPTIME_RAW` is `mach_absolute_time` in nanoseconds, so the deadline converts without an offset.
    let (numerator, denominator) = timebase();
    let ns = u128::try_from(deadline.get()).unwrap_or(0);
    let ticks = (ns * u128::from(denominator)).div_ceil(u128::from(numerator));
    // SAFETY: takes no pointer; a deadline in the past returns at once.
    unsafe { mach_wait_until(u64::try_from(ticks).unwrap_or(u64::MAX)) };
}

/// macOS has no absolute sleep on the wall clock: one short wait, and the caller looks at the clock again.
pub(super) fn on(_timer: TimerClock, reader: Reader, deadline: Nanos) {
    let rest = deadline.saturating_sub(reader.now()).min(Nanos::SECOND);
    monotonic(clock::monotonic().saturating_add(rest));
}

/// Nanoseconds per tick as a fraction: 1/1 on Intel, 125/3 on Apple silicon.
#[allow(deprecated)] // the `mach2` crate would be a dependency for one structure
fn timebase() -> (u32, u32) {
    static TIMEBASE: OnceLock<(u32, u32)> = OnceLock::new();
    *TIMEBASE.get_or_init(|| {
        let mut info = libc::mach_timebase_info { numer: 0, denom: 0 };
        // SAFETY: the call fills the structure, which outlives it.
        unsafe { libc::mach_timebase_info(&raw mut info) };
        (info.numer.max(1), info.denom.max(1))
    })
}
