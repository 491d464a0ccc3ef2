//! Progress of the survey, by time and not by the number of steps: a slow clock takes a hundred times as long as a fast
//! one.

use oversleep_sys::units::Nanos;

/// Progress of the survey. Reported between measurements, never during one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurveyProgress<'a> {
    /// The next measurement.
    pub next: &'a str,
    /// Share of the expected time that has passed, 0 to 1.
    pub done: f64,
    /// Remaining expected time.
    pub remaining: Nanos,
}

/// The expected time, and the part of it that has passed.
pub(super) struct Timetable<'a> {
    tell: &'a mut dyn FnMut(SurveyProgress<'_>) -> bool,
    expected: Nanos,
    over: Nanos,
    /// Whether `tell` asked to stop.
    pub(super) stopped: bool,
}

impl<'a> Timetable<'a> {
    pub(super) fn new(expected: Nanos, tell: &'a mut dyn FnMut(SurveyProgress<'_>) -> bool) -> Self {
        Self { tell, expected, over: Nanos::ZERO, stopped: false }
    }

    /// Reports the next measurement; `false` if the survey is to stop.
    pub(super) fn next(&mut self, next: &str) -> bool {
        self.next_after(next, Nanos::ZERO)
    }

    /// Reports progress within a long measurement of which `part` has passed; `false` if the survey is to stop.
    pub(super) fn next_after(&mut self, next: &str, part: Nanos) -> bool {
        let over = self.over.saturating_add(part);
        let remaining = self.expected.saturating_sub(over).max(Nanos::ZERO);
        let done = (over.as_f64() / self.expected.as_f64().max(1.0)).clamp(0.0, 1.0);
        self.stopped |= !(self.tell)(SurveyProgress { next, done, remaining });
        !self.stopped
    }

    /// Adds the expected duration of a finished measurement to the time passed.
    pub(super) fn passed(&mut self, expected: Nanos) {
        self.over = self.over.saturating_add(expected);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_follows_time_and_ends_at_one() {
        let mut reports = Vec::new();
        let mut tell = |progress: SurveyProgress<'_>| {
            reports.push((progress.done, progress.remaining.get()));
            reports.len() < 3
        };
        let mut table = Timetable::new(Nanos::new(100), &mut tell);
        assert!(table.next("a"));
        table.passed(Nanos::new(30));
        assert!(table.next_after("b", Nanos::new(20)));
        table.passed(Nanos::new(90));
        assert!(!table.next("c"));
        assert!(table.stopped);
        assert_eq!(reports, [(0.0, 100), (0.5, 50), (1.0, 0)]);
    }
}
