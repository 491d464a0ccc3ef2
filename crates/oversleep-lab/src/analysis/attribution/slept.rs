//! What is known of a sleep before its trace is looked at.

use oversleep_recording::trace::ThreadCounters;
use oversleep_sys::units::Nanos;

/// One sleep, on the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slept {
    /// Which sleep of the run.
    pub sequence: u64,
    /// What was asked, as the call takes it (rounded up to its unit).
    pub requested: Nanos,
    /// The deadline of an absolute sleep.
    pub deadline: Option<Nanos>,
    /// The clock before the call.
    pub start: Nanos,
    /// The clock after it.
    pub end: Nanos,
    /// The slack its timer is given by rule; `None` where no rule is known.
    pub slack: Option<Nanos>,
    /// Counters before the sleep.
    pub before: ThreadCounters,
    /// Counters after it.
    pub after: ThreadCounters,
}

impl Slept {
    /// When it should have ended.
    pub fn due(&self) -> Nanos {
        self.deadline.unwrap_or_else(|| self.start.saturating_add(self.requested))
    }

    /// How long its control group was throttled meanwhile.
    pub fn throttled(&self) -> Nanos {
        match (self.before.throttled, self.after.throttled) {
            (Some(before), Some(after)) => after.saturating_sub(before).max(Nanos::ZERO),
            _ => Nanos::ZERO,
        }
    }

    /// How long it waited on run queues, by the scheduler's count: a lower bound.
    pub fn run_delay(&self) -> Option<Nanos> {
        Some(self.after.run_delay?.saturating_sub(self.before.run_delay?))
    }

    /// How often it was preempted.
    pub fn preempted(&self) -> Option<i64> {
        Some(self.after.preempted? - self.before.preempted?)
    }
}
