//! Tickers.

use crate::Status;
use crate::border::{call, give, hand_out, lock, take_back};
use oversleep::{Hertz, Nanos, Period, WallTicker};
use std::ffi::c_int;
use std::sync::Mutex;

/// Hands out ticks on an exact schedule.
pub struct Ticker(Mutex<Kind>);

enum Kind {
    Monotonic(oversleep::Ticker),
    Wall(WallTicker),
}

/// What to do with missed ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Missed {
    /// Hand out every tick, late ones at once.
    Burst = 0,
    /// Hand out the latest tick due and say how many were left out.
    Skip = 1,
    /// Begin the schedule anew from the late tick. A wall-clock ticker takes it as skip.
    Delay = 2,
}

/// One tick.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Tick {
    /// Its place in the schedule, from 0; for a wall-clock ticker, periods since 1970 and its phase.
    pub index: u64,
    /// When it was due: a time of `oversleep_now`, or of `oversleep_wall_now` for a wall-clock ticker.
    pub deadline_ns: i64,
    /// How late it was handed out, nanoseconds after `deadline_ns`.
    pub late_ns: i64,
    /// Ticks before it that were left out.
    pub missed: u64,
    /// How long the machine was suspended since the tick before, nanoseconds, where the system tells.
    pub suspended_ns: i64,
    /// How far the wall clock was set since the tick before, nanoseconds. Wall-clock tickers only.
    pub stepped_ns: i64,
}

fn missed(missed: c_int) -> Option<oversleep::Missed> {
    match missed {
        0 => Some(oversleep::Missed::Burst),
        1 => Some(oversleep::Missed::Skip),
        2 => Some(oversleep::Missed::Delay),
        _ => None,
    }
}

/// Ticks `numerator / denominator` times a second from now on, tick n at start + n × denominator / numerator s
/// exactly. `policy` is an `oversleep_missed`. Free it with `oversleep_ticker_free`.
///
/// Null for a numerator or denominator of 0, a rate above 10⁹ or below one in 292 years, or an unknown policy.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_ticker_new(numerator: u64, denominator: u64, policy: c_int) -> *mut Ticker {
    hand_out(|| {
        let period = Period::of(Hertz::new(numerator, denominator)?).ok()?;
        Some(Ticker(Mutex::new(Kind::Monotonic(oversleep::Ticker::new(period).missed(missed(policy)?)))))
    })
}

/// Ticks when the wall clock reads a multiple of `period_ns` plus `phase_ns`: each full second for 10⁹ and 0. Free it
/// with `oversleep_ticker_free`.
///
/// Null for a period of zero or less or of `INT64_MAX`, or an unknown policy.
#[unsafe(no_mangle)]
pub extern "C" fn oversleep_ticker_new_wall(period_ns: i64, phase_ns: i64, policy: c_int) -> *mut Ticker {
    hand_out(|| {
        let period = Period::every(Nanos::new(period_ns)).ok()?;
        let ticker = WallTicker::new(period).phase(Nanos::new(phase_ns)).missed(missed(policy)?);
        Some(Ticker(Mutex::new(Kind::Wall(ticker))))
    })
}

/// Waits for the next tick. `OVERSLEEP_STATUS_ENDED`, without waiting, where it lies beyond the clock's range: 292 years
/// after the clock's beginning, for the wall clock in 2262.
///
/// # Safety
/// `ticker` is null or a living ticker; `tick` is null or points to writable memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_ticker_next(ticker: *const Ticker, tick: *mut Tick) -> c_int {
    // SAFETY: null or living, as promised to this function.
    let Some(ticker) = (unsafe { ticker.as_ref() }) else { return Status::Invalid as c_int };
    call(|| {
        let next = match &mut *lock(&ticker.0) {
            Kind::Monotonic(ticker) => ticker.tick(),
            Kind::Wall(ticker) => ticker.tick(),
        };
        let Some(next) = next else { return Status::Ended };
        let told = Tick {
            index: next.index,
            deadline_ns: next.deadline.get(),
            late_ns: next.lateness.nanos().get(),
            missed: next.missed,
            suspended_ns: next.disturbed.suspended.get(),
            stepped_ns: next.disturbed.stepped.get(),
        };
        // SAFETY: as promised to this function.
        unsafe { give(tick, told) };
        Status::Ok
    })
}

/// Frees a ticker. Null is nothing to do.
///
/// # Safety
/// `ticker` is null or came from this library, was not freed before, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_ticker_free(ticker: *mut Ticker) {
    // SAFETY: as promised to this function.
    unsafe { take_back(ticker) };
}
