//! Ticks paced by the monotonic clock and disciplined to the wall clock.

use super::wall::ClockTimes;
use super::{Disturbed, LockedTickerBuilder, Period, Tick};
use crate::machine::{Machine, ThisMachine};
use crate::{Lateness, Moment, Nanos, Sleeper};

/// A phase-locked loop: even ticks that keep the wall clock's rate and phase without following its every move.
///
/// [`WallTicker`](super::WallTicker) ticks by the wall clock itself, so its intervals jump when that clock is set or
/// smeared. This ticker counts on the monotonic clock and, after each tick, moves the next by a part of the phase error
/// and its estimate of the rate by a smaller part: the loop that `DragonFly` BSD put into its clock interrupt in 2004
/// to end the aliasing of its timer against its clock.
///
/// With a time constant of N ticks (16 unless set) the loop is critically damped, kp = 2/N and ki = 1/N² per tick
/// (Gardner, *Phaselock Techniques*, 3rd edition, chapter 2):
///
/// * **lock time**: it starts in phase. A rate difference of f shows as a phase error of at most
///   f × period × (N + 1)/e, N ticks later, and has shrunk to a hundredth of that by 8 N ticks: then
///   [`is_locked`](Self::is_locked);
/// * **jitter**: a reading of the wall clock that is wrong by r moves a tick by at most (2/N + 1/N²) r;
/// * an interval never differs from the period by more than [`max_slew`](LockedTickerBuilder::max_slew), 500 ppm unless
///   set;
/// * a phase error above 128 ms (the step threshold of `ntpd(8)`), or half a period if that is less, is not slewed: it
///   is reported and jumped over.
///
/// A caller that is late receives the ticks in between one after the other, as with
/// [`Missed::Burst`](super::Missed::Burst): the loop counts each of them.
#[derive(Debug, Clone)]
pub struct LockedTicker<M = ThisMachine> {
    sleeper: Sleeper<M>,
    period: Period,
    /// In ticks.
    time_constant: f64,
    /// As a share of the period.
    max_slew: f64,
    state: Option<TrackingState>,
}

/// The next tick, and the learned rate of the wall clock.
#[derive(Debug, Clone, Copy)]
struct TrackingState {
    /// Index of the next tick on the wall clock's grid; its time on the monotonic clock follows.
    index: u64,
    deadline: Moment,
    /// Fraction of a nanosecond by which the deadline was rounded.
    fraction: f64,
    /// Learned rate: the share by which intervals are longer than the period.
    rate: f64,
    error: Nanos,
    since_jump: u32,
    seen: ClockTimes,
    disturbed: Disturbed,
}

const STEP: Nanos = Nanos::from_millis(128);

constructors!(LockedTicker by LockedTickerBuilder: "for every `period`, in phase with multiples of it on the wall clock", "in phase with the wall clock");

impl<M: Machine> LockedTicker<M> {
    pub(super) fn built(builder: LockedTickerBuilder, sleeper: Sleeper<M>) -> Self {
        let LockedTickerBuilder { period, time_constant, max_slew } = builder;
        Self { sleeper, period, time_constant: f64::from(time_constant), max_slew: max_slew * 1e-6, state: None }
    }

    /// Returns the sleeper that the ticker uses, for its statistics.
    pub fn sleeper(&self) -> &Sleeper<M> {
        &self.sleeper
    }

    /// Returns the period.
    pub fn period(&self) -> Period {
        self.period
    }

    /// Changes the period, and restarts the schedule as [`reset`](Self::reset) does. A call with the present period
    /// changes nothing.
    ///
    /// # Panics
    /// If the period is made from a duration that is zero, negative or beyond 292 years.
    #[track_caller]
    pub fn set_period(&mut self, period: impl Into<Period>) {
        let period = period.into();
        if period != self.period {
            self.period = period;
            self.reset();
        }
    }

    /// Restarts the schedule: the next tick is the next multiple of the period on the wall clock, in phase, and no tick
    /// before it is delivered. The learned rate is kept, and the loop is locked again after its lock time.
    ///
    /// For a loop that has paused, or waited for something else.
    pub fn reset(&mut self) {
        let rate = self.state.map_or(0.0, |state| state.rate);
        let begun = self.begin(ClockTimes::on(self.sleeper.machine()), Disturbed::default());
        self.state = begun.map(|begun| TrackingState { rate, ..begun });
    }

    /// Returns the wall clock's time at the latest tick minus its intended time.
    pub fn phase_error(&self) -> Nanos {
        self.state.map_or(Nanos::ZERO, |state| state.error)
    }

    /// Returns whether the lock time has passed since the start or the last jump, and the phase error is within what
    /// the loop can correct in one time constant. The loop is not locked to a clock that was set by less than a jump,
    /// or that runs faster than [`max_slew`](LockedTickerBuilder::max_slew) can follow.
    pub fn is_locked(&self) -> bool {
        let within = self.max_slew * self.period.as_f64() * self.time_constant;
        self.state.is_some_and(|state| {
            f64::from(state.since_jump) >= 8.0 * self.time_constant && state.error.saturating_abs().as_f64() <= within
        })
    }

    /// Waits for the next tick. Deadline and lateness are on the monotonic clock. Returns `None` at the end of its
    /// range.
    pub fn tick(&mut self) -> Option<Tick> {
        let mut state = match self.state {
            Some(state) => state,
            None => self.begin(ClockTimes::on(self.sleeper.machine()), Disturbed::default())?,
        };
        let disturbed = std::mem::take(&mut state.disturbed);
        let TrackingState { index, deadline, .. } = state;
        // Stored during the wait, so that a machine that unwinds out of it does not lose the lock.
        self.state = Some(state);
        let mut approach = self.sleeper.approach_until(deadline);
        // The wall clock is read, and the next tick computed, before the deadline.
        self.state = self.after(state);
        loop {
            let lateness = Lateness::between(deadline, self.sleeper.step(&mut approach));
            let tick = Tick { index, deadline, lateness, missed: 0, disturbed };
            if approach.is_over() {
                return self.state.is_some().then_some(tick);
            }
        }
    }

    fn begin(&self, seen: ClockTimes, disturbed: Disturbed) -> Option<TrackingState> {
        let index = self.period.index_at(seen.wall().as_nanos()).checked_add(1)?;
        let deadline = Moment::from_nanos(self.period.offset(index)?.saturating_sub(seen.offset));
        Some(TrackingState {
            index,
            deadline,
            fraction: 0.0,
            rate: 0.0,
            error: Nanos::ZERO,
            since_jump: 0,
            seen,
            disturbed,
        })
    }

    /// Runs the loop once: from the tick just delivered to the next.
    fn after(&self, mut state: TrackingState) -> Option<TrackingState> {
        let seen = ClockTimes::on(self.sleeper.machine());
        let disturbed = seen.since(&state.seen);
        let wall = state.deadline.as_nanos().saturating_add(seen.offset);
        let error = wall.saturating_sub(self.period.offset(state.index)?);
        let threshold = STEP.min(Nanos::new(self.period.nanos().get() / 2));
        if error.saturating_abs() > threshold {
            let mut begun = self.begin(seen, disturbed)?;
            begun.rate = state.rate;
            return Some(begun);
        }
        let period = self.period.as_f64();
        let relative = error.as_f64() / period;
        let (kp, ki) = (2.0 / self.time_constant, 1.0 / (self.time_constant * self.time_constant));
        state.rate = (state.rate - ki * relative).clamp(-self.max_slew, self.max_slew);
        let slew = (state.rate - kp * relative).clamp(-self.max_slew, self.max_slew);
        let interval = period * (1.0 + slew) + state.fraction;
        let whole = interval.floor();
        state.fraction = interval - whole;
        state.deadline = state.deadline.checked_add(Nanos::from_f64(whole))?;
        state.index = state.index.checked_add(1)?;
        state.error = error;
        state.since_jump = state.since_jump.saturating_add(1);
        state.seen = seen;
        state.disturbed = disturbed;
        Some(state)
    }
}

impl<M: Machine> Iterator for LockedTicker<M> {
    type Item = Tick;

    fn next(&mut self) -> Option<Tick> {
        self.tick()
    }
}
