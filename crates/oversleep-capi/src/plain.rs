//! Clocks, and sleeps without a sleeper.

use crate::Status;
use crate::border::{call, give};
use oversleep::clock::{self, CounterClock, WallTime};
use oversleep::{Moment, Nanos};
use std::ffi::c_int;

/// Returns the time of the system's monotonic clock, in nanoseconds: the clock of all deadlines except the "wall" ones.
/// May be called in a signal handler, as may `oversleep_wall_now`, `oversleep_version` and `oversleep_status_text`, but
/// no other function of this library.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_now() -> i64 {
    oversleep::now().as_nanos().get()
}

/// Returns the same time from the processor's counter, where it can be trusted: cheaper, and ordered across threads.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_counter_now() -> i64 {
    CounterClock::shared().now().as_nanos().get()
}

/// Returns whether `oversleep_counter_now` reads the counter; otherwise it returns the system clock's time.
///
/// False in a new process until `oversleep_counter_now` has been called over about a millisecond, because only those
/// calls compare the two clocks; and always false where the system does not trust its counter.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_counter_in_use() -> bool {
    CounterClock::shared().is_counter()
}

/// Returns the time of the wall clock: nanoseconds since 1970, UTC.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_wall_now() -> i64 {
    clock::wall_now().as_nanos().get()
}

/// Sleeps for `ns` nanoseconds with the kernel's timer; signals do not shorten the sleep. Zero or less: returns at
/// once.
///
/// `late` receives the end minus the deadline, in nanoseconds; never below zero.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleep_for(ns: i64, late: *mut i64) -> c_int {
    call(|| {
        let lateness = oversleep::kernel_sleep(Nanos::new(ns));
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}

/// Sleeps until `oversleep_now` reads `deadline`, with the kernel's timer. Returns at once if the deadline has passed.
///
/// `late` receives the end minus the deadline, in nanoseconds; never below zero.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleep_until(deadline: i64, late: *mut i64) -> c_int {
    call(|| {
        let lateness = oversleep::kernel_sleep_until(Moment::from_nanos(Nanos::new(deadline)));
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}

/// Sleeps until `oversleep_wall_now` reads `deadline`, even if that clock is set during the sleep.
///
/// `late` receives the clock's time at the end minus the deadline, in nanoseconds: large after a step forward.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleep_until_wall(deadline: i64, late: *mut i64) -> c_int {
    call(|| {
        let lateness = clock::kernel_sleep_until(WallTime::from_nanos(Nanos::new(deadline))).unwrap_or_default();
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Status::Ok
    })
}
