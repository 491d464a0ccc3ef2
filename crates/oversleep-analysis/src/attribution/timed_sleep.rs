//! What is known of a sleep without its trace.

use super::expected_slack;
use oversleep_recording::Sample;
use oversleep_recording::catalog::{MethodRow, Mode};
use oversleep_recording::plan::{Cell, Conditions, Policy};
use oversleep_recording::trace::ThreadCounters;
use oversleep_sys::units::Nanos;

/// One sleep, on the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedSleep {
    /// Number of the sleep in the run.
    pub sequence: u64,
    /// The request as the call takes it, rounded up to its unit.
    pub requested: Nanos,
    /// The deadline of an absolute sleep, or of a period.
    pub deadline: Option<Nanos>,
    /// The unit of the call, up to a microsecond, if it takes the time until the deadline as a duration: its timer then
    /// expires later than the deadline by the time between the program's reading of the clock and the kernel's, and by the
    /// rounding.
    pub relative_unit: Option<Nanos>,
    /// The clock reading before the call.
    pub start: Nanos,
    /// The clock reading after the call.
    pub end: Nanos,
    /// The slack that its timer has by rule; `None` where no rule is known.
    pub slack: Option<Nanos>,
    /// What the scheduler counted for its thread during the sleep.
    pub counted: ThreadCounters,
}

impl TimedSleep {
    /// Makes a sleep of a sample of this cell, under the conditions that were read back.
    pub fn from_sample(
        sample: &Sample,
        cell: Option<&Cell>,
        obtained: Option<&Conditions>,
        counted: ThreadCounters,
    ) -> Self {
        let row = cell.and_then(Cell::row);
        let slack = row.zip(obtained).and_then(|(row, got)| {
            let policy = got.policy.unwrap_or(Policy::Other);
            expected_slack(row.id, sample.requested, got.timer_slack?, policy, got.nice.unwrap_or(0))
        });
        Self {
            sequence: sample.sequence,
            requested: row.map_or(sample.requested, |row| row.rounded(sample.requested)),
            deadline: sample.deadline,
            relative_unit: sample.deadline.and(row).filter(|row| row.mode == Mode::Relative).and_then(fine_unit),
            start: sample.start,
            end: sample.end,
            slack,
            counted,
        }
    }

    /// Returns when it should have ended.
    pub fn due(&self) -> Nanos {
        self.deadline.unwrap_or_else(|| self.start.saturating_add(self.requested))
    }

    /// Returns how late it ended.
    pub fn oversleep(&self) -> Nanos {
        self.end.saturating_sub(self.due())
    }

    /// Returns how long its control group was throttled during the sleep; zero if that was not counted.
    pub fn throttled(&self) -> Nanos {
        self.counted.throttled.unwrap_or(Nanos::ZERO).max(Nanos::ZERO)
    }

    /// Returns how long it waited on run queues, by the scheduler's count: a lower bound.
    pub fn run_delay(&self) -> Option<Nanos> {
        self.counted.run_delay
    }
}

/// Returns the unit of a method's requests, unless it is so coarse that rounding would be taken for the way to the kernel.
fn fine_unit(row: &MethodRow) -> Option<Nanos> {
    row.unit.step().filter(|unit| *unit <= Nanos::MICROSECOND)
}
