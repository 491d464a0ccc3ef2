//! A machine whose time passes only when it is waited for.

use super::Machine;
use crate::clock::WallTime;
use crate::{Moment, Nanos};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The kernel's wake-up rule: given the current time and the deadline, returns the time at which the sleep ends. All in
/// ns of the monotonic clock, as in kernel models.
type Wake = dyn FnMut(Nanos, Nanos) -> Nanos + Send;

/// A machine for tests of this crate and of programs that use it.
///
/// Clones share one time. A sleep advances it to the wake-up time that the model gives; a pause advances it by
/// [`Simulated::PAUSE`]; reading a clock does not advance it.
///
/// ```
/// use oversleep::machine::{Machine, Simulated};
/// use oversleep::{Moment, Nanos, Sleeper};
///
/// // A kernel that wakes everyone 50 µs late.
/// let machine = Simulated::new(|_now, deadline| deadline.saturating_add(Nanos::from_micros(50)));
/// machine.sleep_until(Moment::from_nanos(Nanos::MILLISECOND));
/// assert_eq!(machine.now().as_nanos(), Nanos::from_micros(1_050));
///
/// // The sleeper compensates for it.
/// let mut sleeper = Sleeper::on(machine.clone());
/// let lateness = sleeper.sleep_for(Nanos::MILLISECOND);
/// assert!(lateness.nanos() < Simulated::PAUSE);
/// ```
#[derive(Clone)]
pub struct Simulated(Arc<Mutex<SimulatedState>>);

/// The state of a simulated machine.
struct SimulatedState {
    now: Nanos,
    /// Wall clock minus monotonic clock.
    offset: Nanos,
    /// How much faster the wall clock runs, in parts per billion.
    drift_ppb: i64,
    suspended: Nanos,
    real_time: bool,
    spun: Nanos,
    sleeps: u64,
    /// Processor time of one sleep, if it is counted.
    charge: Option<Nanos>,
    events: Vec<(Nanos, Event)>,
    wake: Box<Wake>,
}

/// An event in the clocks of a simulated machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Step(Nanos),
    Suspend(Nanos),
}

impl Simulated {
    /// Duration of one pause: 26 ns, as measured on one x86-64 machine.
    pub const PAUSE: Nanos = Nanos::new(26);

    /// Returns a machine at time zero whose kernel wakes sleepers at `wake(now, deadline)`. A wake-up before
    /// `now` counts as now.
    pub fn new(wake: impl FnMut(Nanos, Nanos) -> Nanos + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(SimulatedState {
            now: Nanos::ZERO,
            offset: Nanos::ZERO,
            drift_ppb: 0,
            suspended: Nanos::ZERO,
            real_time: false,
            spun: Nanos::ZERO,
            sleeps: 0,
            charge: None,
            events: Vec::new(),
            wake: Box::new(wake),
        })))
    }

    /// Returns a machine whose kernel wakes everyone exactly on time.
    pub fn punctual() -> Self {
        Self::new(|_now, deadline| deadline)
    }

    /// Advances the time, as work between two waits does.
    pub fn advance(&self, by: Nanos) {
        let mut state = self.state();
        let end = state.now.saturating_add(by.max(Nanos::ZERO));
        state.pass_until(end);
    }

    /// Sets the wall clock to `wall` now.
    pub fn set_wall(&self, wall: WallTime) {
        let mut state = self.state();
        let now = state.wall();
        state.offset = state.offset.saturating_add(wall.as_nanos().saturating_sub(now));
    }

    /// Steps the wall clock by `by` when the monotonic clock reads `at`.
    pub fn step_wall(&self, at: Moment, by: Nanos) {
        self.state().plan(at.as_nanos(), Event::Step(by));
    }

    /// Suspends the machine for `length` when the monotonic clock, which then stops, reads `at`.
    pub fn suspend(&self, at: Moment, length: Nanos) {
        self.state().plan(at.as_nanos(), Event::Suspend(length));
    }

    /// Makes the wall clock run faster than the monotonic clock by this many parts per billion from now on.
    pub fn drift_wall(&self, ppb: i64) {
        let mut state = self.state();
        let wall = state.wall();
        state.drift_ppb = ppb;
        let now = state.wall();
        state.offset = state.offset.saturating_add(wall.saturating_sub(now));
    }

    /// Sets whether the calling thread has a real-time policy.
    pub fn set_real_time(&self, real_time: bool) {
        self.state().real_time = real_time;
    }

    /// Counts processor time from now on: pauses, and `sleep` for each sleep.
    pub fn charge(&self, sleep: Nanos) {
        self.state().charge = Some(sleep);
    }

    /// Replaces the kernel's wake-up rule.
    pub fn set_wake(&self, wake: impl FnMut(Nanos, Nanos) -> Nanos + Send + 'static) {
        self.state().wake = Box::new(wake);
    }

    /// Returns the total time spent in pauses.
    pub fn spun(&self) -> Nanos {
        self.state().spun
    }

    /// Returns the number of sleeps with the kernel's timer.
    pub fn sleeps(&self) -> u64 {
        self.state().sleeps
    }

    fn state(&self) -> MutexGuard<'_, SimulatedState> {
        // Every change leaves the state valid, so a poisoned lock can be used.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SimulatedState {
    fn wall(&self) -> Nanos {
        let gained = i128::from(self.now.get()) * i128::from(self.drift_ppb) / 1_000_000_000;
        let gained = i64::try_from(gained).unwrap_or(0);
        self.now.saturating_add(self.offset).saturating_add(Nanos::new(gained))
    }

    fn plan(&mut self, at: Nanos, event: Event) {
        self.events.push((at, event));
        self.events.sort_by_key(|(at, _)| *at);
    }

    fn pass_until(&mut self, end: Nanos) {
        while let Some((at, event)) = self.events.first().copied() {
            if at > end {
                break;
            }
            self.events.remove(0);
            match event {
                Event::Step(by) => self.offset = self.offset.saturating_add(by),
                Event::Suspend(length) => {
                    self.suspended = self.suspended.saturating_add(length);
                    self.offset = self.offset.saturating_add(length);
                }
            }
        }
        self.now = self.now.max(end);
    }
}

impl Machine for Simulated {
    fn now(&self) -> Moment {
        Moment::from_nanos(self.state().now)
    }

    fn wall(&self) -> WallTime {
        WallTime::from_nanos(self.state().wall())
    }

    fn suspended(&self) -> Nanos {
        self.state().suspended
    }

    fn sleep_until(&self, deadline: Moment) {
        let mut state = self.state();
        let now = state.now;
        let end = (state.wake)(now, deadline.as_nanos());
        state.sleeps += 1;
        state.pass_until(end);
    }

    fn pause(&self) {
        let mut state = self.state();
        let end = state.now.saturating_add(Self::PAUSE);
        state.spun = state.spun.saturating_add(Self::PAUSE);
        state.pass_until(end);
    }

    /// Makes the same pauses as the general implementation, in one step.
    fn spin_until(&self, deadline: Moment) -> Moment {
        let mut state = self.state();
        let rest = deadline.as_nanos().saturating_sub(state.now);
        if rest > Nanos::ZERO {
            let spun = rest.ceil_to(Self::PAUSE);
            let end = state.now.saturating_add(spun);
            state.spun = state.spun.saturating_add(spun);
            state.pass_until(end);
        }
        Moment::from_nanos(state.now)
    }

    fn is_real_time(&self) -> bool {
        self.state().real_time
    }

    fn processor_time(&self) -> Option<Nanos> {
        let state = self.state();
        let sleeps = i64::try_from(state.sleeps).unwrap_or(i64::MAX);
        state.charge.map(|charge| state.spun.saturating_add(charge.saturating_mul(sleeps)))
    }
}

impl std::fmt::Debug for Simulated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.state();
        f.debug_struct("Simulated").field("now", &state.now).field("sleeps", &state.sleeps).finish_non_exhaustive()
    }
}
