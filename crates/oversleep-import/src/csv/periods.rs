//! Counts of a schedule's periods, from its wake-ups.

use super::cells::Schedule;
use oversleep_recording::{Periods, Sample};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// The periods of each schedule and thread, as far as the table was read.
#[derive(Debug, Default)]
pub(super) struct PeriodCounter(BTreeMap<(u32, u16), Counted>);

/// The periods of one thread until its latest wake-up.
#[derive(Debug, Clone, Copy)]
struct Counted {
    account: Periods,
    sequence: u64,
    /// Number of periods that were over when the latest wake-up came, besides its own.
    over: u64,
    planned: Option<u64>,
    /// Number of wake-ups.
    woke: u64,
    deadline: Option<Nanos>,
    /// Whether the wake-ups came in order, and their deadlines are as many periods apart as their numbers say. If not, they
    /// are of several schedules, or of another one.
    in_order: bool,
}

impl Counted {
    /// Returns the number of periods without a wake-up that no lateness explains: their rows are missing.
    fn missing(&self) -> u64 {
        self.sequence.saturating_add(1).saturating_sub(self.woke).saturating_sub(self.account.skipped)
    }
}

impl PeriodCounter {
    /// Counts a wake-up of a schedule.
    pub(super) fn add(&mut self, sample: &Sample, schedule: Schedule) {
        let lateness = sample.oversleep();
        let over = u64::try_from(lateness.get() / schedule.period.get().max(1)).unwrap_or(0);
        let sequence = sample.sequence;
        let account = Periods { cell: sample.cell, thread: sample.thread, ..Periods::default() };
        let planned = schedule.planned;
        let begun = Counted { account, sequence, over: 0, planned, woke: 0, deadline: None, in_order: true };
        let is_first = !self.0.contains_key(&(sample.cell, sample.thread));
        let counted = self.0.entry((sample.cell, sample.thread)).or_insert(begun);
        counted.in_order &= is_first || sequence > counted.sequence;
        let passed = sequence.saturating_sub(counted.sequence);
        let apart = counted.deadline.zip(sample.deadline).map(|(last, next)| next.saturating_sub(last));
        counted.in_order &= apart.is_none_or(|apart| are_periods(apart, passed, schedule.period));
        counted.woke += 1;
        counted.deadline = sample.deadline;
        let between = passed.saturating_sub(1);
        counted.account.skipped += counted.over.min(between);
        counted.account.late += u64::from(over > 0);
        counted.account.early += u64::from(lateness < Nanos::ZERO);
        (counted.sequence, counted.over) = (sequence, over);
    }

    /// Returns the counts of each schedule and thread. After its last wake-up a schedule went on as long as was planned; if
    /// the table does not say how long, it ended there. Schedules with missing rows are left out.
    pub(super) fn accounts(self) -> Vec<Periods> {
        let account = |counted: Counted| {
            let shown = counted.sequence.saturating_add(1);
            let after = counted.planned.map_or(0, |planned| planned.saturating_sub(shown)).min(counted.over);
            let asked = shown.saturating_add(after);
            let Periods { late, skipped, .. } = counted.account;
            let skipped = skipped.saturating_add(after);
            let fresh = asked.saturating_sub(late).saturating_sub(skipped);
            Periods { asked, fresh, skipped, ..counted.account }
        };
        self.0.into_values().filter(|counted| counted.in_order && counted.missing() == 0).map(account).collect()
    }

    /// Returns a remark on schedules whose periods are not counted, if there are any.
    pub(super) fn remark(&self) -> Option<String> {
        let missing: u64 = self.0.values().filter(|of| of.in_order).map(Counted::missing).fold(0, u64::saturating_add);
        let strange = self.0.values().filter(|of| !of.in_order).count();
        if missing > 0 {
            return Some(format!(
                "{missing} periods have no row, and no lateness that explains it: rows are missing, so periods are not counted"
            ));
        }
        (strange > 0).then(|| {
            "the deadlines of a schedule are not as many periods apart as the rows' `sequence` says, or `sequence` does not rise: \
             periods are not counted"
                .to_owned()
        })
    }
}

/// Returns whether two deadlines are this number of periods apart, to a thousandth and a microsecond: tables may be rounded.
fn are_periods(apart: Nanos, periods: u64, period: Nanos) -> bool {
    let expected = i128::from(periods) * i128::from(period.get());
    (i128::from(apart.get()) - expected).abs() <= expected / 1_000 + 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Nanos = Nanos::MILLISECOND;

    /// Returns the counts of wake-ups, each with its number and how late it came, in µs.
    fn accounts(planned: Option<u64>, wakes: &[(u64, i64)]) -> Vec<Periods> {
        let mut counter = PeriodCounter::default();
        for (sequence, late) in wakes {
            let deadline = MS * (sequence.cast_signed() + 1);
            let end = deadline + Nanos::from_micros(*late);
            let sample = Sample { sequence: *sequence, requested: MS, deadline: Some(deadline), end, ..Sample::BLANK };
            counter.add(&sample, Schedule { period: MS, planned });
        }
        counter.accounts()
    }

    #[test]
    fn periods_are_counted_as_when_they_were_measured() {
        let of = |asked, fresh, late, skipped, early| {
            vec![Periods { asked, fresh, late, skipped, early, ..Periods::default() }]
        };
        let wakes = [(0, 50), (1, 2_500), (4, -3), (5, 1_000), (7, 10)];
        assert_eq!(accounts(Some(8), &wakes), of(8, 3, 2, 3, 1));
        // A wake-up that is not in the table is not skipped, as none before it was late, nor was it fresh.
        assert_eq!(accounts(Some(4), &[(0, 50), (3, 50)]), []);
        assert_eq!(accounts(Some(4), &[(2, 50), (3, 50)]), []);
        // What follows the last wake-up is bounded by the plan.
        for (planned, expected) in
            [(Some(2), of(2, 1, 1, 0, 0)), (Some(4), of(4, 1, 1, 2, 0)), (Some(99), of(5, 1, 1, 3, 0))]
        {
            assert_eq!(accounts(planned, &[(0, 50), (1, 3_500)]), expected);
        }
        assert_eq!(accounts(None, &[(0, 50), (1, 3_500)]), of(2, 1, 1, 0, 0));
    }

    #[test]
    fn deadlines_that_do_not_move_with_the_numbers_have_no_count() {
        let mut counter = PeriodCounter::default();
        for sequence in 0..3 {
            let sample = Sample { sequence, requested: MS, deadline: Some(MS), end: MS, ..Sample::BLANK };
            counter.add(&sample, Schedule { period: MS, planned: None });
        }
        assert!(counter.remark().is_some_and(|remark| remark.contains("not as many periods apart")));
        assert_eq!(counter.accounts(), []);
    }

    #[test]
    fn several_schedules_in_one_table_have_no_count() {
        assert_eq!(accounts(Some(2), &[(0, 50), (1, 50), (0, 50), (1, 50)]), []);
        assert_eq!(accounts(Some(2), &[(0, 50), (0, 50)]), []);
    }
}
