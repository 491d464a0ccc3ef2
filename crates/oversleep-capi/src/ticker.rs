//! Tickers.

use crate::Status;
use crate::border::{attempt, give, hand_out, lock, object, take_back, write_sized};
use crate::schedule::Schedule;
use crate::stats::SleepStats;
use crate::ticker_options::TickerOptions;
use oversleep::{Hertz, Nanos, Period};
use std::ffi::c_int;
use std::sync::Mutex;

/// Delivers ticks on an exact schedule.
pub struct Ticker(Mutex<Schedule>);

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

/// Makes a ticker with `numerator / denominator` ticks a second; tick n is exactly at start + n × denominator /
/// numerator s. For a period in nanoseconds, use `oversleep_ticker_new_every`.
///
/// Null `options` mean the defaults, as do options of zeros: it starts now and leaves out missed ticks. `ticker`
/// receives it; free it with `oversleep_ticker_free`.
///
/// If it fails, `ticker` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` if the numerator or denominator is 0,
/// `OVERSLEEP_STATUS_TOO_SHORT` for a rate above 10⁹, `OVERSLEEP_STATUS_TOO_LONG` for one below one in 292 years or a
/// start of `INT64_MAX`, `OVERSLEEP_STATUS_TOO_FAR` for a start more than ten years ahead,
/// `OVERSLEEP_STATUS_UNKNOWN_POLICY` for an unknown policy, and a status of `oversleep_sleeper_new` for the options of
/// the sleeper.
///
/// # Safety
/// `options`, and its `sleeper`, are null or point to options of the size that they state; `ticker` is null or points
/// to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_new(
    numerator: u64,
    denominator: u64,
    options: *const TickerOptions,
    ticker: *mut *mut Ticker,
) -> c_int {
    // SAFETY: as promised to this function.
    let make = || unsafe { Schedule::monotonic(rate(numerator, denominator)?, options) };
    // SAFETY: as promised to this function.
    unsafe { hand_out(ticker, || make().map(|schedule| Ticker(Mutex::new(schedule)))) }
}

/// Makes a ticker with a tick every `period_ns` nanoseconds; otherwise like `oversleep_ticker_new`.
///
/// If it fails, `ticker` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` for a period of zero or less,
/// `OVERSLEEP_STATUS_TOO_LONG` for `INT64_MAX`, and a status of `oversleep_ticker_new` for its options.
///
/// # Safety
/// `options`, and its `sleeper`, are null or point to options of the size that they state; `ticker` is null or points
/// to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_new_every(
    period_ns: i64,
    options: *const TickerOptions,
    ticker: *mut *mut Ticker,
) -> c_int {
    // SAFETY: as promised to this function.
    let make = || unsafe { Schedule::monotonic(Period::try_every(Nanos::new(period_ns))?, options) };
    // SAFETY: as promised to this function.
    unsafe { hand_out(ticker, || make().map(|schedule| Ticker(Mutex::new(schedule)))) }
}

/// Makes a ticker that ticks when the wall clock reads a multiple of `period_ns` plus `phase_ns`: every full second for
/// 10⁹ and 0. A negative phase is before each multiple. Otherwise like `oversleep_ticker_new`.
///
/// If it fails, `ticker` receives null: `OVERSLEEP_STATUS_BAD_PHASE` for a phase that is not shorter than the period,
/// `OVERSLEEP_STATUS_WALL_CLOCK` for a start or `OVERSLEEP_MISSED_DELAY`, which would leave the clock, and otherwise a
/// status of `oversleep_ticker_new_every`.
///
/// # Safety
/// `options`, and its `sleeper`, are null or point to options of the size that they state; `ticker` is null or points
/// to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_new_wall(
    period_ns: i64,
    phase_ns: i64,
    options: *const TickerOptions,
    ticker: *mut *mut Ticker,
) -> c_int {
    let make = || {
        let period = Period::try_every(Nanos::new(period_ns))?;
        // SAFETY: as promised to this function.
        unsafe { Schedule::wall(period, Nanos::new(phase_ns), options) }
    };
    // SAFETY: as promised to this function.
    unsafe { hand_out(ticker, || make().map(|schedule| Ticker(Mutex::new(schedule)))) }
}

/// Waits for the next tick. Returns `OVERSLEEP_STATUS_ENDED`, without waiting, if the tick lies beyond the clock's
/// range: 292 years after the clock's beginning, for the wall clock in 2262.
///
/// # Safety
/// `ticker` is null or a valid ticker; `tick` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_next(ticker: *const Ticker, tick: *mut Tick) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let mut schedule = lock(&unsafe { object(ticker) }?.0);
        let next = schedule.next().ok_or(Status::Ended)?;
        // SAFETY: as promised to this function.
        unsafe { give(tick, next) };
        Ok(())
    })
}

/// Writes when the next tick is due, for a program that waits for other events, too: of `oversleep_now`, or of
/// `oversleep_wall_now` for a wall-clock ticker. Waits while another thread waits for a tick. Returns
/// `OVERSLEEP_STATUS_ENDED` if that lies beyond the clock's range.
///
/// # Safety
/// `ticker` is null or a valid ticker; `deadline_ns` is null or points to writable memory.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_next_deadline(ticker: *const Ticker, deadline_ns: *mut i64) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let deadline = lock(&unsafe { object(ticker) }?.0).next_deadline().ok_or(Status::Ended)?;
        // SAFETY: as promised to this function.
        unsafe { give(deadline_ns, deadline.get()) };
        Ok(())
    })
}

/// Restarts the schedule, after a pause in which ticks were not wanted: the next tick is due one period from now, and
/// none counts as missed. A wall-clock ticker goes on with the next multiple of its period. Waits while another thread
/// waits for a tick.
///
/// Returns `OVERSLEEP_STATUS_ENDED`, and changes nothing, if the next tick would lie beyond the clock's range.
///
/// # Safety
/// `ticker` is null or a valid ticker.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_reset(ticker: *const Ticker) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        lock(&unsafe { object(ticker) }?.0).reset()
    })
}

/// Changes the rate to `numerator / denominator` ticks a second. The next tick is due one new period after the latest
/// was; before the first tick, that stays where it is. A wall-clock ticker goes on with the next multiple of the new
/// period. Waits while another thread waits for a tick.
///
/// If it fails, the rate is unchanged. The statuses are those of `oversleep_ticker_new`; also
/// `OVERSLEEP_STATUS_BAD_PHASE` if a wall-clock ticker's phase is not shorter than the new period, and
/// `OVERSLEEP_STATUS_ENDED` if the next tick lies beyond the clock's range.
///
/// # Safety
/// `ticker` is null or a valid ticker.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_set_rate(ticker: *const Ticker, numerator: u64, denominator: u64) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let ticker = unsafe { object(ticker) }?;
        lock(&ticker.0).set_period(rate(numerator, denominator)?)
    })
}

/// Changes the period to `period_ns` nanoseconds; otherwise like `oversleep_ticker_set_rate`, with the statuses of
/// `oversleep_ticker_new_every`.
///
/// # Safety
/// `ticker` is null or a valid ticker.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_set_period(ticker: *const Ticker, period_ns: i64) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let ticker = unsafe { object(ticker) }?;
        lock(&ticker.0).set_period(Period::try_every(Nanos::new(period_ns))?)
    })
}

/// Writes the statistics of the ticker's sleeps so far. Waits while another thread waits for a tick. Returns
/// `OVERSLEEP_STATUS_BAD_SIZE` if the `size` of `stats` is smaller than that of the first version, and not 0.
///
/// # Safety
/// `ticker` is null or a valid ticker; `stats` is null or points to as many writable bytes as its `size` states.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn oversleep_ticker_stats(ticker: *const Ticker, stats: *mut SleepStats) -> c_int {
    attempt(|| {
        // SAFETY: null or valid, as promised to this function.
        let ticker = unsafe { object(ticker) }?;
        // SAFETY: as promised to this function.
        unsafe { write_sized(stats, |size| SleepStats::new(size, &lock(&ticker.0).sleeper().stats())) }
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

fn rate(numerator: u64, denominator: u64) -> Result<Period, Status> {
    Ok(Period::try_from(Hertz::new(numerator, denominator).ok_or(Status::NotPositive)?)?)
}
