//! Tickers.

use crate::Status;
use crate::border::{call, give, hand_out, lock, take_back};
use crate::sleeper::{SleeperOptions, sleeper_with};
use oversleep::{Hertz, Nanos, Period, WallTicker};
use std::ffi::c_int;
use std::sync::Mutex;

/// Delivers ticks on an exact schedule.
pub struct Ticker(Mutex<Kind>);

enum Kind {
    Monotonic(oversleep::Ticker),
    Wall(WallTicker),
}

/// What to do with missed ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Missed {
    /// Deliver every tick, late ones at once.
    Burst = 0,
    /// Deliver the latest tick due and report how many were left out.
    Skip = 1,
    /// Restart the schedule from a tick that was requested after it was due, or whose wake-up was late by a period or more:
    /// the next one is due a period after its delivery. A wall-clock ticker treats it as `OVERSLEEP_MISSED_SKIP`.
    Delay = 2,
}

/// One tick.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Tick {
    /// Position in the schedule, from 0; for a wall-clock ticker, the number of periods since the phase after 1970
    /// began.
    pub index: u64,
    /// Time at which the tick was due: of `oversleep_now`, or of `oversleep_wall_now` for a wall-clock ticker.
    pub deadline_ns: i64,
    /// How long after `deadline_ns` the tick was delivered, in nanoseconds.
    pub late_ns: i64,
    /// Number of ticks left out directly before this one.
    pub missed: u64,
    /// How long the machine was suspended since the previous tick, in nanoseconds, where the system tells.
    pub suspended_ns: i64,
    /// How far the wall clock was set since the previous tick, in nanoseconds. Wall-clock tickers only.
    pub stepped_ns: i64,
}

impl<C> From<oversleep::Tick<C>> for Tick {
    fn from(tick: oversleep::Tick<C>) -> Self {
        Self {
            index: tick.index,
            deadline_ns: tick.deadline.as_nanos().get(),
            late_ns: tick.lateness.nanos().get(),
            missed: tick.missed,
            suspended_ns: tick.disturbed.suspended.get(),
            stepped_ns: tick.disturbed.stepped.get(),
        }
    }
}

fn missed(missed: c_int) -> Result<oversleep::Missed, Status> {
    match missed {
        0 => Ok(oversleep::Missed::Burst),
        1 => Ok(oversleep::Missed::Skip),
        2 => Ok(oversleep::Missed::Delay),
        _ => Err(Status::UnknownPolicy),
    }
}

/// Makes a ticker with `numerator / denominator` ticks a second from now on; tick n is exactly at start + n ×
/// denominator / numerator s. For a period in nanoseconds, use `oversleep_ticker_new_every`.
///
/// `policy` is an `oversleep_missed`. `sleeper` are the options of its sleeps, such as how long they may wait actively; null
/// means the defaults. `ticker` receives it; free it with `oversleep_ticker_free`.
///
/// If it fails, `ticker` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` if the numerator or denominator is 0,
/// `OVERSLEEP_STATUS_TOO_SHORT` for a rate above 10⁹, `OVERSLEEP_STATUS_TOO_LONG` for one below one in 292 years,
/// `OVERSLEEP_STATUS_UNKNOWN_POLICY` for an unknown policy, `OVERSLEEP_STATUS_BAD_SIZE` for options without their size.
///
/// # Safety
/// `sleeper` is null or points to options of the size that they state; `ticker` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_new(
    numerator: u64,
    denominator: u64,
    policy: c_int,
    sleeper: *const SleeperOptions,
    ticker: *mut *mut Ticker,
) -> c_int {
    let make = || {
        let rate = Hertz::new(numerator, denominator).ok_or(Status::NotPositive)?;
        // SAFETY: as promised to this function.
        unsafe { monotonic(Period::try_from(rate)?, policy, sleeper) }
    };
    // SAFETY: as promised to this function.
    unsafe { hand_out(ticker, make) }
}

/// Makes a ticker with a tick every `period_ns` nanoseconds from now on. `policy`, `sleeper` and `ticker` are those of
/// `oversleep_ticker_new`.
///
/// If it fails, `ticker` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` for a period of zero or less,
/// `OVERSLEEP_STATUS_TOO_LONG` for `INT64_MAX`, `OVERSLEEP_STATUS_UNKNOWN_POLICY` for an unknown policy,
/// `OVERSLEEP_STATUS_BAD_SIZE` for options without their size.
///
/// # Safety
/// `sleeper` is null or points to options of the size that they state; `ticker` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_new_every(
    period_ns: i64,
    policy: c_int,
    sleeper: *const SleeperOptions,
    ticker: *mut *mut Ticker,
) -> c_int {
    // SAFETY: as promised to this function.
    let make = || unsafe { monotonic(Period::try_every(Nanos::new(period_ns))?, policy, sleeper) };
    // SAFETY: as promised to this function.
    unsafe { hand_out(ticker, make) }
}

/// Returns a ticker on the monotonic clock.
///
/// # Safety
/// `sleeper` is null or points to options of the size that they state.
unsafe fn monotonic(period: Period, policy: c_int, sleeper: *const SleeperOptions) -> Result<Ticker, Status> {
    let builder = oversleep::Ticker::builder(period).missed(missed(policy)?);
    // SAFETY: as the caller promises.
    let sleeper = unsafe { sleeper_with(sleeper) }?;
    Ok(Ticker(Mutex::new(Kind::Monotonic(builder.build_with(sleeper)))))
}

/// Makes a ticker that ticks when the wall clock reads a multiple of `period_ns` plus `phase_ns`: every full second for
/// 10⁹ and 0. `policy`, `sleeper` and `ticker` are those of `oversleep_ticker_new`.
///
/// If it fails, `ticker` receives null, with a status of `oversleep_ticker_new_every`.
///
/// # Safety
/// `sleeper` is null or points to options of the size that they state; `ticker` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_new_wall(
    period_ns: i64,
    phase_ns: i64,
    policy: c_int,
    sleeper: *const SleeperOptions,
    ticker: *mut *mut Ticker,
) -> c_int {
    let make = || {
        let period = Period::try_every(Nanos::new(period_ns))?;
        let builder = WallTicker::builder(period).phase(Nanos::new(phase_ns));
        let builder = match missed(policy)? {
            oversleep::Missed::Delay => builder,
            missed => builder.missed(missed),
        };
        // SAFETY: as promised to this function.
        let sleeper = unsafe { sleeper_with(sleeper) }?;
        Ok(Ticker(Mutex::new(Kind::Wall(builder.try_build_with(sleeper)?))))
    };
    // SAFETY: as promised to this function.
    unsafe { hand_out(ticker, make) }
}

/// Waits for the next tick. Returns `OVERSLEEP_STATUS_ENDED`, without waiting, if the tick lies beyond the clock's
/// range: 292 years after the clock's beginning, for the wall clock in 2262.
///
/// # Safety
/// `ticker` is null or a valid ticker; `tick` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_next(ticker: *const Ticker, tick: *mut Tick) -> c_int {
    // SAFETY: null or valid, as promised to this function.
    let Some(ticker) = (unsafe { ticker.as_ref() }) else { return Status::Invalid as c_int };
    call(|| {
        let next = match &mut *lock(&ticker.0) {
            Kind::Monotonic(ticker) => ticker.tick().map(Tick::from),
            Kind::Wall(ticker) => ticker.tick().map(Tick::from),
        };
        let Some(next) = next else { return Status::Ended };
        // SAFETY: as promised to this function.
        unsafe { give(tick, next) };
        Status::Ok
    })
}

/// Frees a ticker. Does nothing for null.
///
/// # Safety
/// `ticker` is null or came from this library, was not freed before, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oversleep_ticker_free(ticker: *mut Ticker) {
    // SAFETY: as promised to this function.
    unsafe { take_back(ticker) };
}
