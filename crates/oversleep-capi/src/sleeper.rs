//! Sleepers.

use crate::Status;
use crate::border::{self, attempt, deadline_in, give, hand_out, lock, object, take_back, write_sized};
use crate::options::{SleeperOptions, sleeper_with};
use crate::stats::SleepStats;
use oversleep::Moment;
use std::ffi::c_int;
use std::sync::Mutex;

/// Learns how late the sleeps of a thread end, and compensates for it. Use one per thread, because what it learns
/// applies to that thread.
pub struct Sleeper(Mutex<oversleep::Sleeper>);

/// Makes a sleeper. Null `options` mean the defaults, as do options of zeros. `sleeper` receives it; free it with
/// `oversleep_sleeper_free`.
///
/// If it fails, `sleeper` receives null: `OVERSLEEP_STATUS_BAD_ON_TIME`, `OVERSLEEP_STATUS_BAD_CPU_CEILING`,
/// `OVERSLEEP_STATUS_BAD_SPIN_CEILING` or `OVERSLEEP_STATUS_BAD_EARLY_WINDOW` for an option out of its range,
/// `OVERSLEEP_STATUS_ECO_AND_ON_TIME` for both, `OVERSLEEP_STATUS_BAD_SIZE` for options that were not initialised, or
/// that are larger than this version's.
///
/// # Safety
/// `options` is null or points to options of the size that they state; `sleeper` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_sleeper_new(options: *const SleeperOptions, sleeper: *mut *mut Sleeper) -> c_int {
    // SAFETY: as promised to this function.
    let make = || Ok(Sleeper(Mutex::new(unsafe { sleeper_with(options) }?)));
    // SAFETY: as promised to this function.
    unsafe { hand_out(sleeper, make) }
}

/// Frees a sleeper. Does nothing for null.
///
/// # Safety
/// `sleeper` is null or came from `oversleep_sleeper_new`, was not freed before, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_sleeper_free(sleeper: *mut Sleeper) {
    // SAFETY: as promised to this function.
    unsafe { take_back(sleeper) };
}

/// Sleeps precisely for `ns` nanoseconds.
///
/// `late` receives the end minus the deadline, in nanoseconds: positive if late, below zero only within an early
/// window.
///
/// A negative duration is a deadline that has passed: returns at once. Returns `OVERSLEEP_STATUS_TOO_LONG`, without
/// waiting, for a duration beyond the clock's range.
///
/// # Safety
/// `sleeper` is null or a valid sleeper; `late` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_sleeper_sleep_for(sleeper: *const Sleeper, ns: i64, late: *mut i64) -> c_int {
    // SAFETY: as promised to this function.
    unsafe { sleep(sleeper, || deadline_in(ns), late) }
}

/// Sleeps precisely until `oversleep_now` reads `deadline`. Returns at once if the deadline has passed.
///
/// `late` receives the end minus the deadline, in nanoseconds: positive if late, below zero only within an early
/// window.
///
/// Returns `OVERSLEEP_STATUS_TOO_LONG`, without waiting, for `INT64_MAX`.
///
/// # Safety
/// `sleeper` is null or a valid sleeper; `late` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_sleeper_sleep_until(
    sleeper: *const Sleeper,
    deadline: i64,
    late: *mut i64,
) -> c_int {
    // SAFETY: as promised to this function.
    unsafe { sleep(sleeper, || border::deadline(deadline), late) }
}

/// Sleeps until a deadline. After the wait it only stores the lateness and unlocks.
///
/// # Safety
/// `sleeper` is null or a valid sleeper; `late` is null or points to writable memory.
#[inline]
unsafe fn sleep(sleeper: *const Sleeper, deadline: impl FnOnce() -> Result<Moment, Status>, late: *mut i64) -> c_int {
    attempt(|| {
        // The time in which another thread uses the sleeper belongs to the duration.
        let deadline = deadline();
        // SAFETY: null or valid, as the caller promises.
        let mut sleeper = lock(&unsafe { object(sleeper) }?.0);
        let lateness = sleeper.sleep_until(deadline?);
        // SAFETY: as the caller promises.
        unsafe { give(late, lateness.nanos().get()) };
        Ok(())
    })
}

/// Writes the statistics of a sleeper so far. Waits while another thread sleeps with it. Returns
/// `OVERSLEEP_STATUS_BAD_SIZE` if the `size` of `stats` is smaller than that of the first version, and not 0.
///
/// # Safety
/// `sleeper` is null or a valid sleeper; `stats` is null or points to as many writable bytes as its `size` states.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_sleeper_stats(sleeper: *const Sleeper, stats: *mut SleepStats) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let sleeper = unsafe { object(sleeper) }?;
        // SAFETY: as promised to this function.
        unsafe { write_sized(stats, |size| SleepStats::new(size, &lock(&sleeper.0).stats())) }
    })
}
