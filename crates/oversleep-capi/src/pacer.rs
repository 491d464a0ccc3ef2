//! The pacer.

use crate::Status;
use crate::border::{call, give, hand_out, take_back};
use oversleep::{Hertz, Lateness, Moment, Nanos, NotReady};
use std::ffi::c_int;

/// Limits units to an exact rate. Any number of threads may share one; they are served in order.
pub struct Pacer(oversleep::Pacer);

/// Makes a pacer of `numerator / denominator` units a second from now on; at most `burst` at once after an idle time, 0
/// for ten milliseconds' worth and two. `pacer` receives it; free it with `oversleep_pacer_free`.
///
/// Otherwise `pacer` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` for a numerator or denominator of 0,
/// `OVERSLEEP_STATUS_TOO_LONG` for a rate at which the burst takes 292 years or longer.
///
/// # Safety
/// `pacer` is null or points to writable memory.
#[unsafe(no_mangle)]
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
        builder.build().map(Pacer).map_err(|_| Status::TooLong)
    };
    // SAFETY: as promised to this function.
    unsafe { hand_out(pacer, make) }
}

/// Waits for `n` units. `late` receives the end of the wait less the time at which they were due, nanoseconds: never
/// below zero. `OVERSLEEP_STATUS_BEYOND_BURST`, without waiting, for more units than the burst.
///
/// # Safety
/// `pacer` is null or a living pacer; `late` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_pacer_take(pacer: *const Pacer, n: u64, late: *mut i64) -> c_int {
    // SAFETY: null or living, as promised to this function.
    let Some(pacer) = (unsafe { pacer.as_ref() }) else { return Status::Invalid as c_int };
    // SAFETY: as promised to this function.
    call(|| unsafe { told(pacer.0.take(n), late, std::ptr::null_mut()) })
}

/// Waits for `n` units if they are due by `deadline`, a time of `oversleep_now`; otherwise takes none, does not wait,
/// answers `OVERSLEEP_STATUS_NOT_READY`, and `ready_at` receives when they would be due, a time of `oversleep_now`.
/// `OVERSLEEP_STATUS_BEYOND_BURST`, with `ready_at` left alone, for more units than the burst.
///
/// # Safety
/// `pacer` is null or a living pacer; `late` and `ready_at` are null or point to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_pacer_take_by(
    pacer: *const Pacer,
    n: u64,
    deadline: i64,
    late: *mut i64,
    ready_at: *mut i64,
) -> c_int {
    // SAFETY: null or living, as promised to this function.
    let Some(pacer) = (unsafe { pacer.as_ref() }) else { return Status::Invalid as c_int };
    // SAFETY: as promised to this function.
    call(|| unsafe { told(pacer.0.take_by(n, Moment::from_nanos(Nanos::new(deadline))), late, ready_at) })
}

/// Takes `n` units if they are due now; otherwise none, answers `OVERSLEEP_STATUS_NOT_READY`, and `ready_at` receives
/// when they would be due, a time of `oversleep_now`. Never waits.
/// `OVERSLEEP_STATUS_BEYOND_BURST`, with `ready_at` left alone, for more units than the burst.
///
/// # Safety
/// `pacer` is null or a living pacer; `ready_at` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_pacer_try_take(pacer: *const Pacer, n: u64, ready_at: *mut i64) -> c_int {
    // SAFETY: null or living, as promised to this function.
    let Some(pacer) = (unsafe { pacer.as_ref() }) else { return Status::Invalid as c_int };
    let taken = || pacer.0.try_take(n).map(|()| Lateness::default());
    // SAFETY: as promised to this function.
    call(|| unsafe { told(taken(), std::ptr::null_mut(), ready_at) })
}

/// Takes what is due now, at most `limit` units, and answers how many: 0 also for a null pacer. Never waits.
///
/// # Safety
/// `pacer` is null or a living pacer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_pacer_take_due(pacer: *const Pacer, limit: u64) -> u64 {
    // SAFETY: null or living, as promised to this function.
    let Some(pacer) = (unsafe { pacer.as_ref() }) else { return 0 };
    let mut taken = 0;
    call(|| {
        taken = pacer.0.take_due(limit);
        Status::Ok
    });
    taken
}

/// Frees a pacer. Null is nothing to do.
///
/// # Safety
/// `pacer` is null or came from `oversleep_pacer_new`, was not freed before, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_pacer_free(pacer: *mut Pacer) {
    // SAFETY: as promised to this function.
    unsafe { take_back(pacer) };
}

/// # Safety
/// `late` and `ready_at` are null or point to writable memory.
unsafe fn told(taken: Result<Lateness, NotReady>, late: *mut i64, ready_at: *mut i64) -> Status {
    match taken {
        Ok(lateness) => {
            // SAFETY: as promised to this function.
            unsafe { give(late, lateness.nanos().get()) };
            Status::Ok
        }
        Err(NotReady::Until(at)) => {
            // SAFETY: as promised to this function.
            unsafe { give(ready_at, at.as_nanos().get()) };
            Status::NotReady
        }
        Err(NotReady::BeyondBurst(_)) => Status::BeyondBurst,
    }
}
