//! Ticks on an exact schedule.

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
/// use oversleep::{Hertz, Nanos, Period, Ticker};
///
/// let sixty = Period::of(Hertz::new(60, 1).unwrap()).unwrap();
/// let mut ticks = Ticker::new(sixty);
/// let first = ticks.tick().unwrap();
/// let second = ticks.tick().unwrap();
/// assert_eq!(first.index, 0);
/// assert!(second.deadline.saturating_since(first.deadline) >= Nanos::new(16_666_666));
/// ```
///
/// As an iterator it does not end (for 292 years):
///
/// ```
/// use oversleep::{Nanos, Period, Ticker};
///
/// for tick in Ticker::new(Period::every(Nanos::from_micros(200)).unwrap()).take(3) {
///     println!("{} was {}", tick.index, tick.lateness);
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Ticker<M = ThisMachine> {
    sleeper: Sleeper<M>,
    period: Period,
    start: Moment,
    next: u64,
    missed: Missed,
    suspended: Nanos,
    looked: Moment,
}

/// Shortest time between checks of the system's suspended time, because each reads two clocks.
const CHECK_EVERY: Nanos = Nanos::from_millis(10);
/// Shortest suspension: two clocks read one after the other differ by the time in between, which is less.
const LEAST_SUSPENSION: Nanos = Nanos::from_millis(1);

impl Ticker<ThisMachine> {
    /// Returns a ticker with tick 0 now, then one every `period`.
    pub fn new(period: Period) -> Self {
        Self::builder(period).build()
    }

    /// Returns a builder, to set other options.
    pub fn builder(period: Period) -> TickerBuilder {
        TickerBuilder::new(period)
    }
}

impl<M: Machine> Ticker<M> {
    fn built(builder: TickerBuilder, sleeper: Sleeper<M>) -> Self {
        let now = sleeper.machine().now();
        let suspended = sleeper.machine().suspended();
        let TickerBuilder { period, start, missed } = builder;
        Self { sleeper, period, start: start.unwrap_or(now), next: 0, missed, suspended, looked: now }
    }

    /// Returns the sleeper that the ticker uses, for its statistics.
    pub fn sleeper(&self) -> &Sleeper<M> {
        &self.sleeper
    }

    /// Returns when the next tick is due; `None` at the end of the clock's range.
    pub fn next_deadline(&self) -> Option<Moment> {
        self.deadline(self.next)
    }

    fn deadline(&self, n: u64) -> Option<Moment> {
        self.start.checked_add(self.period.offset(n)?)
    }

    /// Waits for the next tick. Returns `None` at the end of the clock's range, 292 years from now.
    #[inline]
    pub fn tick(&mut self) -> Option<Tick> {
        let due = self.next_deadline()?;
        let following = self.deadline(self.next.checked_add(1)?).unwrap_or(Moment::MAX);
        let mut near = self.sleeper.approach_until(due);
        // What the tick contains besides its lateness is known before the deadline.
        let disturbed = self.check_clocks(near.now());
        let index = self.next;
        self.next += 1;
        let asked_late = near.was_overdue();
        loop {
            let end = self.sleeper.step(&mut near);
            if end >= following || asked_late {
                return self.late_tick(index, due, end, asked_late, disturbed);
            }
            let tick = Tick { index, deadline: due, lateness: Lateness::between(due, end), missed: 0, disturbed };
            if near.is_over() {
                return Some(tick);
            }
        }
    }

    /// Returns the tick delivered at `end`, which was requested late, or was woken so late that the following one is
    /// due already.
    #[cold]
    fn late_tick(
        &mut self,
        index: u64,
        due: Moment,
        end: Moment,
        asked_late: bool,
        disturbed: Disturbed,
    ) -> Option<Tick> {
        let lateness = Lateness::between(due, end);
        let mut tick = Tick { index, deadline: due, lateness, missed: 0, disturbed };
        match self.missed {
            Missed::Burst => {}
            Missed::Delay if asked_late || lateness.nanos() >= self.period.nanos() => {
                self.start = self.start.saturating_add(lateness.nanos());
            }
            Missed::Delay => {}
            Missed::Skip => {
                // A wake-up within an allowed early window is still the tick that was waited for.
                tick.index = self.period.index_at(end.saturating_since(self.start)).max(index);
                tick.missed = tick.index - index;
                tick.deadline = self.deadline(tick.index).unwrap_or(due);
                tick.lateness = Lateness::between(tick.deadline, end);
                self.next = tick.index.checked_add(1)?;
            }
        }
        Some(tick)
    }

    fn check_clocks(&mut self, now: Moment) -> Disturbed {
        if now.saturating_since(self.looked) < CHECK_EVERY {
            return Disturbed::default();
        }
        self.looked = now;
        let suspended = self.sleeper.machine().suspended();
        let more = suspended.saturating_sub(self.suspended);
        if more < LEAST_SUSPENSION {
            return Disturbed::default();
        }
        self.suspended = suspended;
        Disturbed { suspended: more, stepped: Nanos::ZERO }
    }

    /// Calls `each` for every tick until it breaks, and returns the break value; `None` at the end of the clock's
    /// range.
    ///
    /// ```
    /// use oversleep::{Nanos, Period, Ticker};
    /// use std::ops::ControlFlow;
    ///
    /// let mut ticker = Ticker::new(Period::every(Nanos::from_micros(100)).unwrap());
    /// let last = ticker.run(|tick| if tick.index < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(tick.index) });
    /// assert!(last.unwrap() >= 2);
    /// ```
    pub fn run<B>(&mut self, mut each: impl FnMut(Tick) -> ControlFlow<B>) -> Option<B> {
        loop {
            if let ControlFlow::Break(answer) = each(self.tick()?) {
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
