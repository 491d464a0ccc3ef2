//! Clocks, and sleeping without a sleeper.

use crate::Status;
use crate::border::{call, give};
use oversleep::{CounterClock, Moment, Nanos, WallTime};
use std::ffi::c_int;

/// Returns the system's monotonic clock, nanoseconds: the clock of every deadline but the "wall" ones. May be called in
/// a signal handler, as may `oversleep_wall_now`, `oversleep_version` and `oversleep_status_text`, and nothing else
/// here.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_now() -> i64 {
    oversleep::now().as_nanos().get()
}

/// Returns the same time from the processor's counter, where that can be trusted: cheaper, and in order across threads.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_counter_now() -> i64 {
    CounterClock::shared().now().as_nanos().get()
}

/// Returns whether `oversleep_counter_now` reads the counter; otherwise it hands out the system's clock.
///
/// False in a fresh process until `oversleep_counter_now` has been called over about a millisecond, for only calls
/// compare the two clocks; and for good where the system does not trust its counter.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_counter_in_use() -> bool {
    CounterClock::shared().is_counter()
}

/// Returns the wall clock: nanoseconds since 1970, UTC.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_wall_now() -> i64 {
    oversleep::wall_now().as_nanos().get()
}

/// Sleeps for a number of nanoseconds with the kernel's timer; signals do not shorten it. Zero or less: returns at once.
///
/// `late` receives the end less the deadline, nanoseconds: never below zero.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleep_for(ns: i64, late: *mut i64) -> c_int {
    call(|| {
        let lateness = oversleep::sleep_for(Nanos::new(ns));
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}

/// Sleeps until `oversleep_now` reads `deadline` with the kernel's timer. A deadline that is over returns at once.
///
/// `late` receives the end less the deadline, nanoseconds: never below zero.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleep_until(deadline: i64, late: *mut i64) -> c_int {
    call(|| {
        let lateness = oversleep::sleep_until(Moment::from_nanos(Nanos::new(deadline)));
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}

/// Sleeps until `oversleep_wall_now` reads `deadline`, also if that clock is set meanwhile.
///
/// `late` receives what the clock shows at the end less the deadline, nanoseconds: much after a step forward.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleep_until_wall(deadline: i64, late: *mut i64) -> c_int {
    call(|| {
        let lateness = oversleep::sleep_until_on(WallTime::from_nanos(Nanos::new(deadline))).unwrap_or_default();
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}
