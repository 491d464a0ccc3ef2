//! Ticks at multiples of a period on the wall clock.

use super::{Disturbed, Missed, Period, WallTickerBuilder};
use crate::clock::{Wall, WallTime};
use crate::machine::{Machine, ThisMachine, clock_offset};
use crate::option_error::{OptionError, or_panic};
use crate::{Lateness, Moment, Nanos, Sleeper};

/// Ticks when the wall clock reads a multiple of the period (plus a phase): each full second, each full minute.
///
/// The wall clock can be set, smeared, or continue during a suspension. It is read at least every second of a wait, and
/// again shortly before a tick, so that
///
/// * steering and leap smear are followed as they happen;
/// * a step is noticed within a second and reported ([`Disturbed::stepped`]): after a step forward, ticks are missed
///   and the [`Missed`] policy applies; after one back by less than a period, the next tick comes that much later and
///   no tick comes twice; after one back by a period or more, to within 0.1 ms (also a leap second, where the system
///   repeats it), ticks follow the clock again, so times already seen come again with the indices they had;
/// * a suspension is reported where the system counts it, and its ticks are missed ticks.
///
/// ```
/// use oversleep::WallTicker;
/// use std::time::Duration;
///
/// let mut ticker = WallTicker::every(Duration::from_millis(5));
/// let tick = ticker.tick().unwrap();
/// assert_eq!(tick.deadline.as_nanos().get() % 5_000_000, 0);
/// ```
#[derive(Debug, Clone)]
pub struct WallTicker<M = ThisMachine> {
    sleeper: Sleeper<M>,
    period: Period,
    phase: Nanos,
    missed: Missed,
    next: Option<u64>,
    seen: ClockTimes,
    disturbed: Disturbed,
}

/// A tick of the wall clock.
type Tick = super::Tick<Wall>;

/// A reading of all clocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClockTimes {
    pub(super) monotonic: Moment,
    /// Wall clock minus monotonic clock.
    pub(super) offset: Nanos,
    pub(super) suspended: Nanos,
}

/// Longest wait without a reading of the wall clock.
const CHECK_EVERY: Nanos = Nanos::SECOND;
/// Time of the last reading but one before the tick: at 500 ppm of steering, 5 µs are gained or lost until the tick.
const LAST_LOOK: Nanos = Nanos::from_millis(10);
/// How long before the tick the last wait ends at the latest, where the sleeper's ceilings allow it: the rest is a
/// pause on the wall clock itself. The clocks are read together during it, which takes several microseconds if the
/// caches are cold, as after a second's wait.
const REST: Nanos = Nanos::from_micros(10);
/// Smaller differences are due to reading errors and steering.
const LEAST_STEP: Nanos = Nanos::from_micros(100);
/// Largest steering by `adjtimex(2)`, as one part in this many.
const STEERED_PER: i64 = 2_000;

impl ClockTimes {
    /// Reads all clocks.
    pub(super) fn on(machine: &impl Machine) -> Self {
        let (offset, monotonic) = clock_offset(|| machine.now(), || machine.wall());
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

constructors!(WallTicker by WallTickerBuilder: "for every multiple of `period` since 1970-01-01 00:00:00 UTC", "on the wall clock's grid");

impl<M: Machine> WallTicker<M> {
    pub(super) fn built(builder: WallTickerBuilder, sleeper: Sleeper<M>) -> Self {
        let seen = ClockTimes::on(sleeper.machine());
        let WallTickerBuilder { period, phase, missed } = builder;
        Self { sleeper, period, phase, missed, next: None, seen, disturbed: Disturbed::default() }
    }

    /// Returns the sleeper that the ticker uses, for its statistics.
    pub fn sleeper(&self) -> &Sleeper<M> {
        &self.sleeper
    }

    /// Returns when the next tick is due, if the clock is not set until then; `None` at the end of the clock's range.
    pub fn next_deadline(&self) -> Option<WallTime> {
        let next = self.next.unwrap_or_else(|| self.period_after(ClockTimes::on(self.sleeper.machine()).wall()));
        self.deadline(next)
    }

    /// Returns the period.
    pub fn period(&self) -> Period {
        self.period
    }

    /// Changes the period: the next tick is due at the next multiple of the new one, plus the phase. A call with the
    /// present period changes nothing.
    ///
    /// # Panics
    /// If the period is made from a duration that is zero, negative or beyond 292 years, or if it is not longer than the
    /// phase ([`try_set_period`](Self::try_set_period) returns an error instead).
    #[track_caller]
    pub fn set_period(&mut self, period: impl Into<Period>) {
        or_panic(self.try_set_period(period.into()));
    }

    /// Changes the period like [`set_period`](Self::set_period).
    ///
    /// # Errors
    /// [`OptionError::Phase`] if the period is not longer than the phase; nothing is changed then.
    pub fn try_set_period(&mut self, period: Period) -> Result<(), OptionError> {
        if self.phase.saturating_abs() >= period.nanos() {
            return Err(OptionError::Phase(self.phase));
        }
        if period != self.period {
            self.period = period;
            self.reset();
        }
        Ok(())
    }

    /// Restarts the schedule: the next tick is the next one due when it is waited for, and none before it counts as
    /// missed.
    ///
    /// For a loop that has paused, or waited for something else.
    pub fn reset(&mut self) {
        self.next = None;
    }

    /// Waits for the next tick. Returns `None` at the end of the clock's range, in the year 2262.
    pub fn tick(&mut self) -> Option<Tick> {
        loop {
            self.check_clocks();
            let next = self.next.unwrap_or_else(|| self.period_after(self.seen.wall()));
            self.next = Some(next);
            let deadline = self.deadline(next)?;
            let rest = deadline.saturating_since(self.seen.wall());
            let early = REST.min(self.sleeper.longest_pause());
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
        self.period.due(self.phase, index).map(WallTime::from_nanos)
    }

    /// Returns the first tick after `wall`.
    fn period_after(&self, wall: WallTime) -> u64 {
        let wall = wall.as_nanos();
        if wall < self.phase { 0 } else { self.period.last_due(self.phase, wall).saturating_add(1) }
    }

    /// Sleeps to the last reading but one, or from there to the last one, after which there is a `pause`. The pause and
    /// the sleeper's fine wait together stay within the ceilings.
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

    /// Reads the clocks and records what happened to them.
    fn check_clocks(&mut self) {
        let seen = ClockTimes::on(self.sleeper.machine());
        let disturbed = seen.since(&self.seen);
        self.seen = seen;
        self.disturbed.suspended = self.disturbed.suspended.saturating_add(disturbed.suspended);
        self.disturbed.stepped = self.disturbed.stepped.saturating_add(disturbed.stepped);
        // A repeated leap second may be measured slightly longer or shorter than one second.
        let by_a_period = disturbed.stepped.saturating_sub(LEAST_STEP) <= self.period.nanos().saturating_neg();
        if disturbed.stepped < Nanos::ZERO && by_a_period {
            self.next = None;
        }
    }

    /// Pauses until the wall clock reads `deadline`, and returns its time; `None` if it was set back: more than `most`
    /// away.
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
            let latest = self.period.last_due(self.phase, wall.as_nanos()).max(next);
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
