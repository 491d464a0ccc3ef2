//! Ticks as the second hand moves.

use super::{Disturbed, Missed, Period, WallTickerBuilder};
use crate::machine::{Here, Machine, apart};
use crate::{Lateness, Moment, Nanos, Sleeper, Wall, WallTime};

/// Ticks when the wall clock reads a multiple of the period (plus a phase): each full second, each full minute.
///
/// The wall clock can be set, smeared and slept through. It is read again at least every second of a wait, and once
/// more shortly before a tick, so that
///
/// * steering and leap smear are followed as they come;
/// * a step is noticed within a second and told ([`Disturbed::stepped`]): forward, ticks are missed and the
///   [`Missed`] policy decides; back by less than a period, the next tick comes that much later and no tick comes
///   twice; back by a period or more, to within 0.1 ms (also a leap second, where the system repeats it), ticks follow
///   the clock again, so times already seen come again with the indices they had;
/// * a suspension is told where the system counts it, and its ticks are missed ticks.
///
/// ```
/// use oversleep::{Nanos, Period, WallTicker};
///
/// let mut seconds = WallTicker::new(Period::every(Nanos::from_millis(5)).unwrap());
/// let tick = seconds.tick().unwrap();
/// assert_eq!(tick.deadline.as_nanos().get() % 5_000_000, 0);
/// ```
#[derive(Debug, Clone)]
pub struct WallTicker<M = Here> {
    sleeper: Sleeper<M>,
    period: Period,
    phase: Nanos,
    missed: Missed,
    next: Option<u64>,
    seen: Seen,
    disturbed: Disturbed,
}

/// A tick of the wall clock.
type Tick = super::Tick<Wall>;

/// The clocks as last read together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) monotonic: Moment,
    /// Wall less monotonic.
    pub(super) offset: Nanos,
    pub(super) suspended: Nanos,
}

/// The longest wait without a look at the wall clock.
const CHECK_EVERY: Nanos = Nanos::SECOND;
/// The last look but one is so long before the tick: at 500 ppm of steering, 5 µs are gained or lost by then.
const LAST_LOOK: Nanos = Nanos::from_millis(10);
/// The last wait ends at least so long before the tick, where the sleeper's ceilings allow it: what remains is paused away
/// on the wall clock itself. The clocks are read together meanwhile, which takes some microseconds after a second without
/// it, while the caches are cold.
const REST: Nanos = Nanos::from_micros(10);
/// Smaller differences are reading errors and steering.
const LEAST_STEP: Nanos = Nanos::from_micros(100);
/// `adjtimex(2)`: the most a clock is steered is one part in this many.
const STEERED_PER: i64 = 2_000;

impl Seen {
    /// Reads the clocks together.
    pub(super) fn on(machine: &impl Machine) -> Self {
        let (offset, monotonic) = apart(|| machine.now(), || machine.wall());
        Self { monotonic, offset, suspended: machine.suspended() }
    }

    pub(super) fn wall(&self) -> WallTime {
        WallTime::from_nanos(self.monotonic.as_nanos().saturating_add(self.offset))
    }

    /// Returns what happened since `earlier`.
    pub(super) fn since(&self, earlier: &Self) -> Disturbed {
        let passed = self.monotonic.saturating_since(earlier.monotonic);
        let slept = self.suspended.saturating_sub(earlier.suspended);
        let suspended = if slept >= super::LEAST_SUSPENSION { slept } else { Nanos::ZERO };
        let moved = self.offset.saturating_sub(earlier.offset).saturating_sub(suspended);
        let steering = Nanos::new(passed.get() / STEERED_PER).saturating_add(LEAST_STEP);
        Disturbed { suspended, stepped: if moved.saturating_abs() > steering { moved } else { Nanos::ZERO } }
    }
}

impl WallTicker<Here> {
    /// Returns a ticker for every multiple of `period` since 1970-01-01 00:00:00 UTC.
    pub fn new(period: Period) -> Self {
        Self::builder(period).build()
    }

    /// Returns a builder, to ask for something else.
    pub fn builder(period: Period) -> WallTickerBuilder {
        WallTickerBuilder::new(period)
    }
}

impl<M: Machine> WallTicker<M> {
    pub(super) fn built(builder: WallTickerBuilder, sleeper: Sleeper<M>) -> Self {
        let seen = Seen::on(sleeper.machine());
        let WallTickerBuilder { period, phase, missed } = builder;
        Self { sleeper, period, phase, missed, next: None, seen, disturbed: Disturbed::default() }
    }

    /// Returns the sleeper behind it, for what it achieved.
    pub fn sleeper(&self) -> &Sleeper<M> {
        &self.sleeper
    }

    /// Waits for the next tick. `None` when the clock's range is over, in the year 2262.
    pub fn tick(&mut self) -> Option<Tick> {
        loop {
            self.check_clocks();
            let next = self.next.unwrap_or_else(|| self.period_after(self.seen.wall()));
            self.next = Some(next);
            let deadline = self.deadline(next)?;
            let rest = deadline.saturating_since(self.seen.wall());
            let early = self.sleeper.leisure(self.period.nanos()).max(REST).min(self.sleeper.longest_pause());
            if rest > early {
                self.approach(rest.saturating_sub(early), early);
                continue;
            }
            self.sleeper.count_pause(rest);
            if let Some(wall) = self.pause_until(deadline, early.max(REST).saturating_mul(2)) {
                return self.hand_out(next, deadline, wall);
            }
        }
    }

    fn deadline(&self, index: u64) -> Option<WallTime> {
        self.phase.checked_add(self.period.offset(index)?).map(WallTime::from_nanos)
    }

    /// The first tick after `wall`.
    fn period_after(&self, wall: WallTime) -> u64 {
        let since = wall.as_nanos().saturating_sub(self.phase);
        if since < Nanos::ZERO { 0 } else { self.period.index_at(since).saturating_add(1) }
    }

    /// Sleeps one leg: to the last look but one, or from there to the last, after which `pause` is paused away: with what the
    /// sleeper waits finely no more than it may.
    fn approach(&mut self, rest: Nanos, pause: Nanos) {
        let leg =
            if rest > LAST_LOOK.saturating_mul(2) { rest.saturating_sub(LAST_LOOK).min(CHECK_EVERY) } else { rest };
        let until = self.seen.monotonic.saturating_add(leg);
        if leg == rest {
            let _ = self.sleeper.sleep_until_before(until, pause);
        } else {
            self.sleeper.machine().sleep_until(until);
        }
    }

    /// Reads the clocks and notes what happened to them.
    fn check_clocks(&mut self) {
        let seen = Seen::on(self.sleeper.machine());
        let disturbed = seen.since(&self.seen);
        self.seen = seen;
        self.disturbed.suspended = self.disturbed.suspended.saturating_add(disturbed.suspended);
        self.disturbed.stepped = self.disturbed.stepped.saturating_add(disturbed.stepped);
        // A repeated leap second is measured a little longer or shorter than the second that it is.
        let by_a_period = disturbed.stepped.saturating_sub(LEAST_STEP) <= self.period.nanos().saturating_neg();
        if disturbed.stepped < Nanos::ZERO && by_a_period {
            self.next = None;
        }
    }

    /// What the wall clock reads when it is there; `None` if it was set back meanwhile: further than `most` from it.
    fn pause_until(&self, deadline: WallTime, most: Nanos) -> Option<WallTime> {
        let machine = self.sleeper.machine();
        loop {
            let wall = machine.wall();
            if wall >= deadline {
                return Some(wall);
            }
            if deadline.saturating_since(wall) > most {
                return None;
            }
            machine.pause();
        }
    }

    fn hand_out(&mut self, next: u64, deadline: WallTime, wall: WallTime) -> Option<Tick> {
        let mut tick = Tick {
            index: next,
            deadline,
            lateness: Lateness::between(deadline, wall),
            missed: 0,
            disturbed: std::mem::take(&mut self.disturbed),
        };
        if self.missed != Missed::Burst {
            let latest = self.period.index_at(wall.as_nanos().saturating_sub(self.phase)).max(next);
            tick.missed = latest - next;
            tick.index = latest;
            tick.deadline = self.deadline(latest)?;
            tick.lateness = Lateness::between(tick.deadline, wall);
        }
        self.next = Some(tick.index.checked_add(1)?);
        Some(tick)
    }
}

impl<M: Machine> Iterator for WallTicker<M> {
    type Item = Tick;

    fn next(&mut self) -> Option<Tick> {
        self.tick()
    }
}
