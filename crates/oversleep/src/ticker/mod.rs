//! Ticks on an exact schedule.
//!
//! | schedule | ticker |
//! | --- | --- |
//! | start + n × period on the monotonic clock | [`Ticker`] |
//! | multiples of a period on the wall clock, which can be set | [`WallTicker`] |
//! | even ticks that keep the wall clock's rate and phase | [`LockedTicker`] |
//! | ticks for an asynchronous task (feature `stream`) | `TickStream` |

/// Makes the constructors of a ticker, which begin with its period.
macro_rules! constructors {
    ($ticker:ident by $builder:ident: $new:literal, $place:literal) => {
        impl $ticker<ThisMachine> {
            #[doc = concat!("Returns a ticker ", $new, ".")]
            ///
            /// # Panics
            /// If the period is made from a duration that is zero, negative or beyond 292 years
            /// ([`Period::try_every`] returns an error instead).
            #[track_caller]
            pub fn new(period: impl Into<Period>) -> Self {
                Self::builder(period).build()
            }

            #[doc = concat!("Returns a ticker ", $place, ", at this many ticks a second.")]
            ///
            /// # Panics
            /// If `per_second` is zero or above 10⁹.
            pub fn hz(per_second: u32) -> Self {
                Self::new(Period::hz(per_second))
            }

            #[doc = concat!("Returns a ticker ", $place, ", with a tick every `duration`.")]
            ///
            /// # Panics
            /// If the duration is zero or beyond 292 years.
            #[track_caller]
            pub fn every(duration: std::time::Duration) -> Self {
                Self::new(duration)
            }

            /// Returns a builder, to set other options.
            ///
            /// # Panics
            /// If the period is made from a duration that is zero, negative or beyond 292 years
            /// ([`Period::try_every`] returns an error instead).
            #[track_caller]
            pub fn builder(period: impl Into<Period>) -> $builder {
                $builder::new(period.into())
            }
        }
    };
}

mod builders;
mod locked;
mod period;
#[cfg(feature = "stream")]
mod stream;
mod tick;
mod wall;

pub use builders::{LockedTickerBuilder, TickerBuilder, WallTickerBuilder};
pub use locked::LockedTicker;
pub use period::{Period, PeriodError};
#[cfg(feature = "stream")]
pub use stream::TickStream;
pub use tick::{Disturbed, Missed, Tick};
pub use wall::WallTicker;

use crate::machine::{Machine, ThisMachine};
use crate::{Lateness, Moment, Nanos, Sleeper};
use std::ops::ControlFlow;

/// Ticks at start + n × period, exactly: however late one tick is, the next is due at its own time.
///
/// ```
/// use oversleep::{Nanos, Ticker};
///
/// let mut ticks = Ticker::hz(60);
/// let first = ticks.tick().unwrap();
/// let second = ticks.tick().unwrap();
/// assert_eq!(first.index, 0);
/// assert!(second.deadline - first.deadline >= Nanos::new(16_666_666));
/// ```
///
/// Nothing ends a wait from outside: a thread that is to stop looks at a flag between ticks. For how late the loop was, look
/// at each [`Tick`]; `ticker.sleeper().stats()` has the account of its sleeps.
///
/// As an iterator it does not end (for 292 years):
///
/// ```
/// use oversleep::Ticker;
/// use std::time::Duration;
///
/// for tick in Ticker::every(Duration::from_micros(200)).take(3) {
///     println!("{} was {}", tick.index, tick.lateness);
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Ticker<M = ThisMachine> {
    sleeper: Sleeper<M>,
    period: Period,
    /// The beginning of the present schedule.
    start: Moment,
    /// The next tick is due this number of periods after `start`.
    periods: u64,
    /// Index of the next tick. Ticks are a nanosecond apart or more, so the clock's range has fewer than 2⁶⁴ of them.
    next: u64,
    missed: Missed,
    suspended: Nanos,
    looked: Moment,
}

/// Shortest time between checks of the system's suspended time, because each reads two clocks.
const CHECK_EVERY: Nanos = Nanos::from_millis(10);
/// Shortest suspension: two clocks read one after the other differ by the time in between, which is less.
const LEAST_SUSPENSION: Nanos = Nanos::from_millis(1);

constructors!(Ticker by TickerBuilder: "with tick 0 now, then one every `period`", "that starts now");

impl<M: Machine> Ticker<M> {
    fn built(builder: TickerBuilder, sleeper: Sleeper<M>) -> Self {
        let now = sleeper.machine().now();
        let suspended = sleeper.machine().suspended();
        let TickerBuilder { period, start, missed } = builder;
        Self { sleeper, period, start: start.unwrap_or(now), periods: 0, next: 0, missed, suspended, looked: now }
    }

    /// Returns the sleeper that the ticker uses, for its statistics.
    pub fn sleeper(&self) -> &Sleeper<M> {
        &self.sleeper
    }

    /// Returns when the next tick is due; `None` at the end of the clock's range.
    pub fn next_deadline(&self) -> Option<Moment> {
        self.deadline(self.periods)
    }

    /// Returns the time of the schedule's beginning and a number of periods. The last time of the clock's range is never
    /// reached.
    fn deadline(&self, periods: u64) -> Option<Moment> {
        self.period.due(self.start.as_nanos(), periods).map(Moment::from_nanos).filter(|due| *due < Moment::MAX)
    }

    /// Returns the period.
    pub fn period(&self) -> Period {
        self.period
    }

    /// Changes the period from the latest tick on: the next tick is due one new period after the time at which the
    /// latest was due, however late it was and whenever this is called; after [`reset`](Self::reset), one after that call.
    /// Before the first tick, that stays where it is.
    ///
    /// If the next tick is due in the past then, the ticks missed are treated as any others. Indices go on. A call with
    /// the present period changes nothing.
    ///
    /// ```
    /// use oversleep::Ticker;
    /// use std::time::Duration;
    ///
    /// let mut ticker = Ticker::hz(1_000);
    /// let last = ticker.tick().unwrap();
    /// ticker.set_period(Duration::from_millis(2));
    /// assert_eq!(ticker.next_deadline(), Some(last.deadline + Duration::from_millis(2)));
    /// ```
    ///
    /// # Panics
    /// If the period is made from a duration that is zero, negative or beyond 292 years.
    #[track_caller]
    pub fn set_period(&mut self, period: impl Into<Period>) {
        let period = period.into();
        if period == self.period {
            return;
        }
        // `None`: there was no tick yet.
        if let Some(latest) = self.periods.checked_sub(1).and_then(|latest| self.deadline(latest)) {
            (self.start, self.periods) = (latest, 1);
        }
        self.period = period;
    }

    /// Restarts the schedule: the next tick is due one period from now, and none before it counts as missed. Indices go
    /// on.
    ///
    /// For a loop that has paused, or waited for something else.
    pub fn reset(&mut self) {
        (self.start, self.periods) = (self.sleeper.machine().now(), 1);
    }

    /// Waits for the next tick. Returns `None` at the end of the clock's range, 292 years from now.
    #[inline]
    pub fn tick(&mut self) -> Option<Tick> {
        let due = self.next_deadline()?;
        let following = self.deadline(self.periods + 1).unwrap_or(Moment::MAX);
        let mut approach = self.sleeper.approach_until(due);
        // What the tick contains besides its lateness is known before the deadline.
        let disturbed = self.check_clocks(approach.now());
        let index = self.next;
        self.next += 1;
        self.periods += 1;
        let asked_late = approach.was_overdue();
        loop {
            let end = self.sleeper.step(&mut approach);
            if end >= following || asked_late {
                return Some(self.late_tick(index, due, end, asked_late, disturbed));
            }
            let tick = Tick { index, deadline: due, lateness: Lateness::between(due, end), missed: 0, disturbed };
            if approach.is_over() {
                return Some(tick);
            }
        }
    }

    /// Returns the tick delivered at `end`, which was requested late, or was woken so late that the following one is
    /// due already.
    #[cold]
    fn late_tick(&mut self, index: u64, due: Moment, end: Moment, asked_late: bool, disturbed: Disturbed) -> Tick {
        let lateness = Lateness::between(due, end);
        let mut tick = Tick { index, deadline: due, lateness, missed: 0, disturbed };
        match self.missed {
            Missed::Delay if asked_late || lateness.nanos() >= self.period.nanos() => {
                (self.start, self.periods) = (end, 1);
            }
            Missed::Burst | Missed::Delay => {}
            Missed::Skip => {
                // A wake-up within an allowed early window is still the tick that was waited for.
                let within = end.min(Moment::MAX - Nanos::new(1)).as_nanos();
                let latest = self.period.last_due(self.start.as_nanos(), within).max(self.periods - 1);
                tick.missed = latest - (self.periods - 1);
                tick.index = index + tick.missed;
                tick.deadline = self.deadline(latest).unwrap_or(due);
                tick.lateness = Lateness::between(tick.deadline, end);
                (self.next, self.periods) = (tick.index + 1, latest + 1);
            }
        }
        tick
    }

    fn check_clocks(&mut self, now: Moment) -> Disturbed {
        if now.saturating_since(self.looked) < CHECK_EVERY {
            return Disturbed::default();
        }
        self.looked = now;
        let suspended = self.sleeper.machine().suspended();
        let newly_suspended = suspended.saturating_sub(self.suspended);
        if newly_suspended < LEAST_SUSPENSION {
            return Disturbed::default();
        }
        self.suspended = suspended;
        Disturbed { suspended: newly_suspended, stepped: Nanos::ZERO }
    }

    /// Calls `each` for every tick until it breaks, and returns the break value; `None` at the end of the clock's
    /// range.
    ///
    /// ```
    /// use oversleep::Ticker;
    /// use std::ops::ControlFlow;
    ///
    /// let mut ticker = Ticker::hz(10_000);
    /// let last = ticker.run(|tick| if tick.index < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(tick.index) });
    /// assert!(last.unwrap() >= 2);
    /// ```
    pub fn run<B>(&mut self, mut on_tick: impl FnMut(Tick) -> ControlFlow<B>) -> Option<B> {
        loop {
            if let ControlFlow::Break(answer) = on_tick(self.tick()?) {
                return Some(answer);
            }
        }
    }
}

impl<M: Machine> Iterator for Ticker<M> {
    type Item = Tick;

    fn next(&mut self) -> Option<Tick> {
        self.tick()
    }
}
