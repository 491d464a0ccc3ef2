//! The options of the tickers.

use super::{LockedTicker, Missed, Period, Ticker, WallTicker};
use crate::machine::Machine;
use crate::option_error::{OptionError, or_panic};
use crate::{Moment, Nanos, Sleeper};

/// Makes the last steps of a builder whose options may be out of their ranges.
macro_rules! checked {
    ($builder:ident builds $ticker:ident) => {
        impl $builder {
            /// Returns a ticker with a sleeper as [`Sleeper::new`] makes it.
            ///
            /// # Panics
            /// If an option is out of its range. [`try_build`](Self::try_build) returns an error instead.
            #[track_caller]
            pub fn build(self) -> $ticker {
                or_panic(self.try_build())
            }

            /// Returns a ticker with a sleeper as [`Sleeper::new`] makes it; an error if an option is out of its range.
            pub fn try_build(self) -> Result<$ticker, OptionError> {
                self.try_build_with(Sleeper::new())
            }

            /// Returns a ticker that uses this sleeper: its aim, its ceilings, its machine.
            ///
            /// # Panics
            /// As [`build`](Self::build).
            #[track_caller]
            pub fn build_with<M: Machine>(self, sleeper: Sleeper<M>) -> $ticker<M> {
                or_panic(self.try_build_with(sleeper))
            }

            /// Returns a ticker that uses this sleeper, with the errors of [`try_build`](Self::try_build).
            pub fn try_build_with<M: Machine>(self, sleeper: Sleeper<M>) -> Result<$ticker<M>, OptionError> {
                self.check()?;
                Ok($ticker::built(self, sleeper))
            }
        }
    };
}

checked!(WallTickerBuilder builds WallTicker);
checked!(LockedTickerBuilder builds LockedTicker);

/// The options of a [`Ticker`]. Made by [`Ticker::builder`].
///
/// ```
/// use oversleep::{Missed, Sleeper, Ticker};
/// use std::time::{Duration, Instant};
///
/// let mut ticker = Ticker::builder(Duration::from_millis(1))
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
/// use oversleep::WallTicker;
/// use std::time::Duration;
///
/// // Every 5 ms, 1 ms after the multiple.
/// let mut ticker = WallTicker::builder(Duration::from_millis(5)).phase(Duration::from_millis(1)).build();
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

    /// Sets how long after each multiple of the period the ticks come; before it, if negative. Shorter than the period;
    /// the default is zero.
    pub fn phase(mut self, phase: impl Into<Nanos>) -> Self {
        self.phase = phase.into();
        self
    }

    /// Sets what to do with missed ticks: by default [`Missed::Skip`]. [`Missed::Delay`] is refused, because it would
    /// leave the wall clock's grid.
    pub fn missed(mut self, missed: Missed) -> Self {
        self.missed = missed;
        self
    }

    fn check(&self) -> Result<(), OptionError> {
        if self.missed == Missed::Delay {
            return Err(OptionError::DelayOnTheWallClock);
        }
        if self.phase.saturating_abs() >= self.period.nanos() {
            return Err(OptionError::Phase(self.phase));
        }
        Ok(())
    }
}

/// The options of a [`LockedTicker`]. Made by [`LockedTicker::builder`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use = "a builder ticks for nobody; build() makes the ticker"]
pub struct LockedTickerBuilder {
    pub(super) period: Period,
    /// Time constant, in ticks.
    pub(super) time_constant: u32,
    /// Largest slew, in ppm.
    pub(super) max_slew: f64,
}

impl LockedTickerBuilder {
    pub(super) fn new(period: Period) -> Self {
        Self { period, time_constant: 16, max_slew: 500.0 }
    }

    /// Sets the loop's time constant in ticks: by default 16, at least 2.
    pub fn time_constant(mut self, ticks: u32) -> Self {
        self.time_constant = ticks;
        self
    }

    /// Sets the largest difference of an interval from the period, in ppm: by default 500, from 1 to 100 000.
    pub fn max_slew(mut self, ppm: f64) -> Self {
        self.max_slew = ppm;
        self
    }

    fn check(&self) -> Result<(), OptionError> {
        if self.time_constant < 2 {
            return Err(OptionError::TimeConstant(self.time_constant));
        }
        if !(1.0..=100_000.0).contains(&self.max_slew) {
            return Err(OptionError::MaxSlew(self.max_slew));
        }
        Ok(())
    }
}
