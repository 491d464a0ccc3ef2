//! Pacers: an exact long-run rate. See [`Pacer`].

mod builder;
mod schedule;

pub use builder::PacerBuilder;

use crate::machine::{Machine, ThisMachine};
use crate::option_error::OptionError;
use crate::{Hertz, Lateness, Moment, Nanos, Sleeper};
use schedule::Schedule;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Limits messages, bytes, requests or other units to an exact rate.
///
/// Unit k is due at start + k / rate, in exact arithmetic, so the long-run rate is the requested one as long as the
/// caller keeps up. A caller that falls behind may catch up by at most a [`burst`](PacerBuilder::burst); time beyond
/// that is lost, and counted ([`Pacer::forgone`]). Nothing is saved up before the start.
///
/// Any number of threads may share one: each call that waits first takes its place in the schedule and then sleeps
/// until that is due, so the callers are served in order and none is woken in vain.
///
/// ```
/// use oversleep::{Hertz, Pacer};
///
/// let pacer = Pacer::new(Hertz::new(100_000, 1).unwrap());
/// for _ in 0..10 {
///     pacer.until_ready(); // 10 µs apart
/// }
/// assert!(pacer.taken() >= 10);
/// ```
pub struct Pacer<M = ThisMachine> {
    machine: M,
    origin: Moment,
    schedule: Mutex<Schedule>,
}

/// Why units are not available now, or ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotReady {
    /// The units are due at this time on the monotonic clock.
    Until(Moment),
    /// More units were requested than can ever be taken at once, which is this number.
    BeyondBurst(u64),
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Until(at) => write!(f, "not due before {:#} on the monotonic clock", at.as_nanos()),
            Self::BeyondBurst(burst) => write!(f, "more than the burst of {burst} can never go at once; take fewer"),
        }
    }
}

impl std::error::Error for NotReady {}

impl Pacer<ThisMachine> {
    /// Returns a pacer for `rate` units a second from now on, with the default burst of [`PacerBuilder::burst`].
    ///
    /// # Panics
    /// If two units take 292 years or longer. [`PacerBuilder::try_build`] returns an error instead.
    #[track_caller]
    pub fn new(rate: Hertz) -> Self {
        Self::builder(rate).build()
    }

    /// Returns a builder, to set another burst.
    pub fn builder(rate: Hertz) -> PacerBuilder {
        PacerBuilder::new(rate)
    }
}

impl<M: Machine> Pacer<M> {
    fn built(machine: M, rate: Hertz, burst: Option<u64>) -> Result<Self, OptionError> {
        let schedule = Schedule::new(rate, burst).map_err(OptionError::BurstTooLong)?;
        Ok(Self { origin: machine.now(), machine, schedule: Mutex::new(schedule) })
    }

    /// Takes `n` units now, without waiting, and returns when they may be used, on the monotonic clock: in the past if
    /// that is at once. The place in the schedule is the caller's from then on; units that are then not used are lost.
    ///
    /// For tasks, which must not block their thread. With tokio, whose timer rounds to milliseconds, so that single
    /// units are up to that much late while the rate stays exact:
    ///
    /// ```
    /// use oversleep::{Pacer, pacer::NotReady};
    /// # mod tokio { pub mod time { pub async fn sleep_until(_: std::time::Instant) {} } }
    ///
    /// async fn send(pacer: &Pacer, packet: &[u8]) -> Result<(), NotReady> {
    ///     let at = pacer.reserve(packet.len() as u64)?;
    ///     if let Some(at) = at.to_instant() {
    ///         tokio::time::sleep_until(at.into()).await;
    ///     }
    ///     // … send …
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// [`NotReady::BeyondBurst`] for more units than a burst that was set; nothing is taken then.
    pub fn reserve(&self, n: u64) -> Result<Moment, NotReady> {
        self.reserve_until(n, Some(Moment::MAX))
    }

    /// Waits for one unit with the kernel's timer, and returns the lateness.
    pub fn until_ready(&self) -> Lateness {
        // One unit is never beyond the burst, which is at least one.
        self.take(1).unwrap_or_default()
    }

    /// Waits for `n` units with the kernel's timer. Returns at once for zero units.
    pub fn take(&self, n: u64) -> Result<Lateness, NotReady> {
        let due = self.reserve(n)?;
        Ok(self.sleep(due))
    }

    /// Waits for `n` units with a precise sleep.
    pub fn take_with<N: Machine>(&self, sleeper: &mut Sleeper<N>, n: u64) -> Result<Lateness, NotReady> {
        let due = self.reserve(n)?;
        Ok(sleeper.sleep_until(due))
    }

    /// Waits for `n` units if they are due by `deadline` (monotonic clock); otherwise takes none, does not wait, and
    /// returns when they will be due.
    pub fn take_by(&self, n: u64, deadline: impl Into<Moment>) -> Result<Lateness, NotReady> {
        let due = self.reserve_until(n, Some(deadline.into()))?;
        Ok(self.sleep(due))
    }

    /// Takes `n` units if they are due now, otherwise none. Never waits.
    pub fn try_take(&self, n: u64) -> Result<(), NotReady> {
        self.reserve_until(n, None).map(drop)
    }

    /// Takes the units that are due now, at most `limit`, and returns their number. Never waits.
    #[must_use = "units that were taken and are not used are lost"]
    pub fn take_due(&self, limit: u64) -> u64 {
        let mut schedule = self.schedule();
        let now = self.since_origin();
        schedule.forgo(now);
        let burst = schedule.burst();
        let n = schedule.due_at(now, limit.min(burst));
        schedule.take(n);
        n
    }

    /// Waits until units have been due for `window`, then takes all units due, at least 1 and at most `limit`.
    ///
    /// One wake-up serves many units: an exact rate at little cost, each unit later than its schedule by at most the
    /// window and the lateness of one sleep. Keep rate × window within the burst; the excess would be lost.
    /// A limit of zero returns zero at once.
    ///
    /// It reserves its first unit before it waits, like every other call; the others are those that no other call took.
    #[must_use = "units that were taken and are not used are lost"]
    pub fn take_batch(&self, limit: u64, window: impl Into<Nanos>) -> u64 {
        if limit == 0 {
            return 0;
        }
        // One unit is never beyond the burst.
        let Ok(first) = self.reserve(1) else { return 0 };
        let _ = self.sleep(first.saturating_add(window.into().max(Nanos::ZERO)));
        // Together with the reserved unit, no more than a burst is taken at once.
        1 + self.take_due(limit.min(self.burst()) - 1)
    }

    /// Returns when the next unit is due, on the monotonic clock; in the past if it can be taken now.
    pub fn next_due(&self) -> Moment {
        let mut schedule = self.schedule();
        schedule.forgo(self.since_origin());
        self.on_clock(schedule.ready_at(1))
    }

    /// Returns the number of units taken so far, including those for which callers still wait.
    pub fn taken(&self) -> u64 {
        self.schedule().taken()
    }

    /// Returns the time in which units were due, were not taken, and the burst was full already. The mean rate since
    /// the start is the requested one, reduced by this share of the time.
    pub fn forgone(&self) -> Nanos {
        self.schedule().forgone()
    }

    /// Returns the number of units that may be taken at once.
    pub fn burst(&self) -> u64 {
        self.schedule().burst()
    }

    /// Takes a place in the schedule, if it is due by `deadline`, and returns its time. `None`: by now. Otherwise the
    /// schedule stays as it is, also its burst.
    fn reserve_until(&self, n: u64, deadline: Option<Moment>) -> Result<Moment, NotReady> {
        let mut schedule = self.schedule();
        let mut after = *schedule;
        let now = self.since_origin();
        let at = self.on_clock(ready_at(&mut after, now, n)?);
        if n > 0 && at > deadline.unwrap_or_else(|| self.on_clock(now)) {
            return Err(NotReady::Until(at));
        }
        after.take(n);
        *schedule = after;
        Ok(at)
    }

    fn sleep(&self, deadline: Moment) -> Lateness {
        loop {
            let now = self.machine.now();
            if now >= deadline {
                return Lateness::between(deadline, now);
            }
            self.machine.sleep_until_tight(deadline);
        }
    }

    fn since_origin(&self) -> Nanos {
        self.machine.now().saturating_since(self.origin)
    }

    fn on_clock(&self, since_origin: Nanos) -> Moment {
        self.origin.saturating_add(since_origin)
    }

    /// Locks the schedule. A poisoned lock is used all the same: the schedule is valid, because no call of it can panic
    /// between two changes.
    fn schedule(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns when `n` units are due, after the origin. Zero units are due now.
fn ready_at(schedule: &mut Schedule, now: Nanos, n: u64) -> Result<Nanos, NotReady> {
    // Before time beyond the burst is lost, because the burst may grow.
    let covers = schedule.covers(n);
    schedule.forgo(now);
    match n {
        0 => Ok(now),
        n if covers => Ok(schedule.ready_at(n)),
        _ => Err(NotReady::BeyondBurst(schedule.burst())),
    }
}

impl<M> fmt::Debug for Pacer<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pacer").field("origin", &self.origin).field("schedule", &self.schedule).finish_non_exhaustive()
    }
}
