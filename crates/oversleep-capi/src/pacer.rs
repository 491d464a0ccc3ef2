//! Pacers.

use crate::Status;
use crate::border::{attempt, give, hand_out, moment, object, take_back};
use oversleep::pacer::NotReady;
use oversleep::{Hertz, Lateness, Moment};
use std::ffi::c_int;

/// Limits units to an exact rate. Any number of threads may share a pacer; they are served in order.
pub struct Pacer(oversleep::Pacer);

/// Makes a pacer of `numerator / denominator` units a second from now on. After an idle time, at most `burst` units are
/// available at once, and no more can be taken at once. 0 means the units of ten milliseconds plus two, and at least the
/// largest number that was ever taken at once. `pacer` receives the new pacer; free it with `oversleep_pacer_free`.
///
/// If it fails, `pacer` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` if the numerator or denominator is 0,
/// `OVERSLEEP_STATUS_TOO_LONG` if at this rate the burst takes 292 years or longer.
///
/// # Safety
/// `pacer` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_pacer_new(
    numerator: u64,
    denominator: u64,
    burst: u64,
    pacer: *mut *mut Pacer,
) -> c_int {
    let make = || {
        let rate = Hertz::new(numerator, denominator).ok_or(Status::NotPositive)?;
        let builder = oversleep::Pacer::builder(rate);
        let builder = if burst == 0 { builder } else { builder.burst(burst) };
        Ok(Pacer(builder.try_build()?))
    };
    // SAFETY: as promised to this function.
    unsafe { hand_out(pacer, make) }
}

/// Waits for `n` units. `late` receives the end of the wait minus the time at which the units were due, in nanoseconds;
/// never below zero. Returns `OVERSLEEP_STATUS_BEYOND_BURST`, without waiting, if `n` is larger than a burst that was set.
///
/// # Safety
/// `pacer` is null or a valid pacer; `late` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_pacer_take(pacer: *const Pacer, n: u64, late: *mut i64) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let pacer = unsafe { object(pacer) }?;
        // SAFETY: as promised to this function.
        unsafe { deliver(pacer.0.take(n), late, std::ptr::null_mut()) }
    })
}

/// Waits for `n` units if they are due by `deadline`, a time of `oversleep_now`; `INT64_MAX` sets no limit. Otherwise
/// takes none and does not wait: returns `OVERSLEEP_STATUS_NOT_READY`, and `ready_at` receives when they will be due, a time of
/// `oversleep_now`. Returns `OVERSLEEP_STATUS_BEYOND_BURST`, and leaves `ready_at` unchanged, if `n` is larger than a
/// burst that was set, and `OVERSLEEP_STATUS_TOO_FAR` if `deadline` is more than ten years ahead.
///
/// # Safety
/// `pacer` is null or a valid pacer; `late` and `ready_at` are null or point to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_pacer_take_by(
    pacer: *const Pacer,
    n: u64,
    deadline: i64,
    late: *mut i64,
    ready_at: *mut i64,
) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let pacer = unsafe { object(pacer) }?;
        let deadline = if deadline == i64::MAX { Moment::MAX } else { moment(deadline)? };
        // SAFETY: as promised to this function.
        unsafe { deliver(pacer.0.take_by(n, deadline), late, ready_at) }
    })
}

/// Takes `n` units if they are due now. Otherwise takes none: returns `OVERSLEEP_STATUS_NOT_READY`, and `ready_at`
/// receives when they will be due, a time of `oversleep_now`. Never waits.
/// Returns `OVERSLEEP_STATUS_BEYOND_BURST`, and leaves `ready_at` unchanged, if `n` is larger than a burst that was set.
///
/// # Safety
/// `pacer` is null or a valid pacer; `ready_at` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_pacer_try_take(pacer: *const Pacer, n: u64, ready_at: *mut i64) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let taken = unsafe { object(pacer) }?.0.try_take(n).map(|()| Lateness::default());
        // SAFETY: as promised to this function.
        unsafe { deliver(taken, std::ptr::null_mut(), ready_at) }
    })
}

/// Takes `n` units now, without waiting: for an event loop, which waits by other means. `due` receives when they may be
/// used, a time of `oversleep_now`: in the past if that is at once. Units that are then not used are lost. Returns
/// `OVERSLEEP_STATUS_BEYOND_BURST`, and takes none, if `n` is larger than a burst that was set.
///
/// # Safety
/// `pacer` is null or a valid pacer; `due` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_pacer_reserve(pacer: *const Pacer, n: u64, due: *mut i64) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let due_time = unsafe { object(pacer) }?.0.reserve(n).map_err(|_| Status::BeyondBurst)?;
        // SAFETY: as promised to this function.
        unsafe { give(due, due_time.as_nanos().get()) };
        Ok(())
    })
}

/// Takes the units that are due now, at most `limit`, and returns their number; 0 for a null pacer. Never waits.
///
/// For one wake-up per batch: `oversleep_pacer_reserve` of one unit, a sleep until it is due and a window, then this.
///
/// # Safety
/// `pacer` is null or a valid pacer.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_pacer_take_due(pacer: *const Pacer, limit: u64) -> u64 {
    let mut taken = 0;
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        taken = unsafe { object(pacer) }?.0.take_due(limit);
        Ok(())
    });
    taken
}

/// Frees a pacer. Does nothing for null.
///
/// # Safety
/// `pacer` is null or came from `oversleep_pacer_new`, was not freed before, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_pacer_free(pacer: *mut Pacer) {
    // SAFETY: as promised to this function.
    unsafe { take_back(pacer) };
}

/// Writes what a call of a pacer found out, and returns its status.
///
/// # Safety
/// `late` and `ready_at` are null or point to writable memory.
unsafe fn deliver(taken: Result<Lateness, NotReady>, late: *mut i64, ready_at: *mut i64) -> Result<(), Status> {
    match taken {
        Ok(lateness) => {
            // SAFETY: as promised to this function.
            unsafe { give(late, lateness.nanos().get()) };
            Ok(())
        }
        Err(NotReady::Until(at)) => {
            // SAFETY: as promised to this function.
            unsafe { give(ready_at, at.as_nanos().get()) };
            Err(Status::NotReady)
        }
        Err(NotReady::BeyondBurst(_)) => Err(Status::BeyondBurst),
    }
}
