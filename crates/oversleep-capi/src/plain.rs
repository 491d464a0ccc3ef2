//! Clocks, and sleeps without a handle.

use crate::border::{self, attempt, deadline_in, give, moment};
use oversleep::clock::{self, CounterClock, Wall};
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

/// Sleeps precisely for `ns` nanoseconds, with a sleeper of the calling thread that has the default options.
///
/// `late` receives the end minus the deadline, in nanoseconds; never below zero.
///
/// A negative duration is a deadline that has passed: returns at once. Returns `OVERSLEEP_STATUS_TOO_LONG`, without
/// waiting, for a duration beyond the clock's range.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleep(ns: i64, late: *mut i64) -> c_int {
    attempt(|| {
        let lateness = oversleep::sleep_until(deadline_in(ns)?);
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Ok(())
    })
}

/// Sleeps precisely until `oversleep_now` reads `deadline`, with a sleeper of the calling thread that has the default
/// options. Returns at once if the deadline has passed.
///
/// `late` receives the end minus the deadline, in nanoseconds; never below zero.
///
/// Returns, without waiting, `OVERSLEEP_STATUS_TOO_FAR` for a deadline more than ten years ahead, as a time since 1970 is,
/// and `OVERSLEEP_STATUS_TOO_LONG` for `INT64_MAX`.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleep_until(deadline: i64, late: *mut i64) -> c_int {
    attempt(|| {
        let lateness = oversleep::sleep_until(moment(deadline)?);
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Ok(())
    })
}

/// Sleeps for `ns` nanoseconds only with the kernel's timer: about as late as the kernel wakes, and never waiting on
/// the processor. Signals do not shorten the sleep.
///
/// `late` receives the end minus the deadline, in nanoseconds; never below zero.
///
/// A negative duration is a deadline that has passed: returns at once. Returns `OVERSLEEP_STATUS_TOO_LONG`, without
/// waiting, for a duration beyond the clock's range.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_kernel_sleep(ns: i64, late: *mut i64) -> c_int {
    attempt(|| {
        let lateness = oversleep::kernel_sleep_until(deadline_in(ns)?);
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Ok(())
    })
}

/// Sleeps until `oversleep_now` reads `deadline`, only with the kernel's timer. Returns at once if the deadline has
/// passed.
///
/// `late` receives the end minus the deadline, in nanoseconds; never below zero.
///
/// Returns, without waiting, `OVERSLEEP_STATUS_TOO_FAR` for a deadline more than ten years ahead, as a time since 1970 is,
/// and `OVERSLEEP_STATUS_TOO_LONG` for `INT64_MAX`.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_kernel_sleep_until(deadline: i64, late: *mut i64) -> c_int {
    attempt(|| {
        let lateness = oversleep::kernel_sleep_until(moment(deadline)?);
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Ok(())
    })
}

/// Sleeps until `oversleep_wall_now` reads `deadline`, only with the kernel's timer, even if that clock is set during
/// the sleep.
///
/// `late` receives the clock's time at the end minus the deadline, in nanoseconds: large after a step forward.
///
/// Returns `OVERSLEEP_STATUS_TOO_LONG`, without waiting, for `INT64_MAX`.
///
/// # Safety
/// `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_kernel_sleep_until_wall(deadline: i64, late: *mut i64) -> c_int {
    attempt(|| {
        let until = border::deadline::<Wall>(deadline)?;
        let lateness = clock::kernel_sleep_until(until).unwrap_or_default();
        // SAFETY: as promised to this function.
        unsafe { give(late, lateness.nanos().get()) };
        Ok(())
    })
}
