//! The options of the tickers.

use super::{LockedTicker, Missed, Period, Ticker, WallTicker};
use crate::machine::Machine;
use crate::{Moment, Nanos, Sleeper};

/// The options of a [`Ticker`]. Made by [`Ticker::builder`].
///
/// ```
/// use oversleep::{Missed, Nanos, Period, Sleeper, Ticker};
/// use std::time::{Duration, Instant};
///
/// let period = Period::every(Nanos::MILLISECOND).unwrap();
/// let mut ticker = Ticker::builder(period)
///     .starting_at(Instant::now() + Duration::from_millis(2))
///     .missed(Missed::Burst)
///     .build_with(Sleeper::builder().on_time(0.9).build());
/// assert_eq!(ticker.tick().unwrap().index, 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a builder ticks for nobody; build() makes the ticker"]
pub struct TickerBuilder {
    pub(super) period: Period,
    pub(super) start: Option<Moment>,
    pub(super) missed: Missed,
}

impl TickerBuilder {
    pub(super) fn new(period: Period) -> Self {
        Self { period, start: None, missed: Missed::default() }
    }

    /// Sets the time of tick 0 on the monotonic clock; the default is when the ticker is built. Ticks that have passed
    /// by then are missed ticks.
    pub fn starting_at(mut self, start: impl Into<Moment>) -> Self {
        self.start = Some(start.into());
        self
    }

    /// Sets what to do with missed ticks: by default [`Missed::Skip`].
    pub fn missed(mut self, missed: Missed) -> Self {
        self.missed = missed;
        self
    }

    /// Returns a ticker with a sleeper as [`Sleeper::new`] makes it.
    pub fn build(self) -> Ticker {
        self.build_with(Sleeper::new())
    }

    /// Returns a ticker that uses this sleeper: its aim, its ceilings, its machine.
    pub fn build_with<M: Machine>(self, sleeper: Sleeper<M>) -> Ticker<M> {
        Ticker::built(self, sleeper)
    }
}

/// The options of a [`WallTicker`]. Made by [`WallTicker::builder`].
///
/// ```
/// use oversleep::{Nanos, Period, WallTicker};
///
/// // Every 5 ms, 1 ms after the multiple.
/// let period = Period::every(Nanos::from_millis(5)).unwrap();
/// let mut ticker = WallTicker::builder(period).phase(Nanos::MILLISECOND).build();
/// assert_eq!(ticker.tick().unwrap().deadline.as_nanos().get() % 5_000_000, 1_000_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a builder ticks for nobody; build() makes the ticker"]
pub struct WallTickerBuilder {
    pub(super) period: Period,
    pub(super) phase: Nanos,
    pub(super) missed: Missed,
}

impl WallTickerBuilder {
    pub(super) fn new(period: Period) -> Self {
        Self { period, phase: Nanos::ZERO, missed: Missed::default() }
    }

    /// Sets how long after each multiple of the period the ticks come; before it, if negative. The default is zero.
    pub fn phase(mut self, phase: impl Into<Nanos>) -> Self {
        self.phase = phase.into();
        self
    }

    /// Sets what to do with missed ticks: by default [`Missed::Skip`]. [`Missed::Delay`] would leave the wall clock's
    /// grid and is treated as `Skip`.
    pub fn missed(mut self, missed: Missed) -> Self {
        self.missed = missed;
        self
    }

    /// Returns a ticker with a sleeper as [`Sleeper::new`] makes it.
    pub fn build(self) -> WallTicker {
        self.build_with(Sleeper::new())
    }

    /// Returns a ticker that uses this sleeper: its aim, its ceilings, its machine.
    pub fn build_with<M: Machine>(self, sleeper: Sleeper<M>) -> WallTicker<M> {
        WallTicker::built(self, sleeper)
    }
}

/// The options of a [`LockedTicker`]. Made by [`LockedTicker::builder`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use = "a builder ticks for nobody; build() makes the ticker"]
pub struct LockedTickerBuilder {
    pub(super) period: Period,
    /// Time constant, in ticks.
    pub(super) time_constant: f64,
    /// Largest slew, as a share of the period.
    pub(super) max_slew: f64,
}

impl LockedTickerBuilder {
    pub(super) fn new(period: Period) -> Self {
        Self { period, time_constant: 16.0, max_slew: 500e-6 }
    }

    /// Sets the loop's time constant in ticks: by default 16, at least 2.
    pub fn time_constant(mut self, ticks: u32) -> Self {
        self.time_constant = f64::from(ticks.max(2));
        self
    }

    /// Sets the largest difference of an interval from the period, in ppm: by default 500, limited to
    /// 1 to 100 000. NaN means 500.
    pub fn max_slew(mut self, ppm: f64) -> Self {
        self.max_slew = if ppm.is_nan() { 500e-6 } else { ppm.clamp(1.0, 100_000.0) * 1e-6 };
        self
    }

    /// Returns a ticker with a sleeper as [`Sleeper::new`] makes it.
    pub fn build(self) -> LockedTicker {
        self.build_with(Sleeper::new())
    }

    /// Returns a ticker that uses this sleeper: its aim, its ceilings, its machine.
    pub fn build_with<M: Machine>(self, sleeper: Sleeper<M>) -> LockedTicker<M> {
        LockedTicker::built(self, sleeper)
    }
}
