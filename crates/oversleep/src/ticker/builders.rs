//! What can be asked of the tickers, before there is one.

use super::{LockedTicker, Missed, Period, Ticker, WallTicker};
use crate::machine::Machine;
use crate::{Moment, Nanos, Sleeper};

/// What is asked of a [`Ticker`]. Made by [`Ticker::builder`].
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

    /// Puts tick 0 at this time on the monotonic clock, instead of when the ticker is built. Ticks that are over by then
    /// are missed ticks.
    pub fn starting_at(mut self, start: impl Into<Moment>) -> Self {
        self.start = Some(start.into());
        self
    }

    /// Sets what to do with missed ticks: [`Missed::Skip`] unless set.
    pub fn missed(mut self, missed: Missed) -> Self {
        self.missed = missed;
        self
    }

    /// Returns a ticker with a sleeper as [`Sleeper::new`] makes it.
    pub fn build(self) -> Ticker {
        self.build_with(Sleeper::new())
    }

    /// Returns a ticker with this sleeper: its aim, its ceilings, its machine.
    pub fn build_with<M: Machine>(self, sleeper: Sleeper<M>) -> Ticker<M> {
        Ticker::built(self, sleeper)
    }
}

/// What is asked of a [`WallTicker`]. Made by [`WallTicker::builder`].
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

    /// Sets how long after each multiple of the period the ticks come; before it, if negative. Zero unless set.
    pub fn phase(mut self, phase: impl Into<Nanos>) -> Self {
        self.phase = phase.into();
        self
    }

    /// Sets what to do with missed ticks: [`Missed::Skip`] unless set. [`Missed::Delay`] would leave the wall clock and is
    /// taken as `Skip`.
    pub fn missed(mut self, missed: Missed) -> Self {
        self.missed = missed;
        self
    }

    /// Returns a ticker with a sleeper as [`Sleeper::new`] makes it.
    pub fn build(self) -> WallTicker {
        self.build_with(Sleeper::new())
    }

    /// Returns a ticker with this sleeper: its aim, its ceilings, its machine.
    pub fn build_with<M: Machine>(self, sleeper: Sleeper<M>) -> WallTicker<M> {
        WallTicker::built(self, sleeper)
    }
}

/// What is asked of a [`LockedTicker`]. Made by [`LockedTicker::builder`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use = "a builder ticks for nobody; build() makes the ticker"]
pub struct LockedTickerBuilder {
    pub(super) period: Period,
    /// In ticks.
    pub(super) time_constant: f64,
    /// As a share of the period.
    pub(super) max_slew: f64,
}

impl LockedTickerBuilder {
    pub(super) fn new(period: Period) -> Self {
        Self { period, time_constant: 16.0, max_slew: 500e-6 }
    }

    /// Sets the loop's time constant in ticks: 16 unless set, at least 2.
    pub fn time_constant(mut self, ticks: u32) -> Self {
        self.time_constant = f64::from(ticks.max(2));
        self
    }

    /// Sets the most by which an interval may differ from the period, in parts per million: 500 unless set, held between
    /// 1 and 100 000. NaN is taken as 500.
    pub fn max_slew(mut self, ppm: f64) -> Self {
        self.max_slew = if ppm.is_nan() { 500e-6 } else { ppm.clamp(1.0, 100_000.0) * 1e-6 };
        self
    }

    /// Returns a ticker with a sleeper as [`Sleeper::new`] makes it.
    pub fn build(self) -> LockedTicker {
        self.build_with(Sleeper::new())
    }

    /// Returns a ticker with this sleeper: its aim, its ceilings, its machine.
    pub fn build_with<M: Machine>(self, sleeper: Sleeper<M>) -> LockedTicker<M> {
        LockedTicker::built(self, sleeper)
    }
}
