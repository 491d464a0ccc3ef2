//! The periods of two schedules.

use super::run::CellKey;
use super::shift::{deviation, tested};
use super::{CellValues, ComparableRun};
use crate::document;
use oversleep_figures::quantile::middle_of;
use oversleep_recording::Periods;
use oversleep_recording::document::{
    ComparedPeriods, ComparedShare, PeriodCounts, PeriodsForWork, PeriodsOfSide, ShareShift, ShareVerdict, TimeLeft,
};
use oversleep_sys::units::Nanos;

/// The recordings of a side, and which of their cells is compared.
pub(super) struct Schedules<'a> {
    pub(super) runs: &'a [&'a ComparableRun],
    pub(super) key: &'a CellKey,
}

/// Returns the periods of a cell, where both sides kept a schedule.
pub(super) fn compared(a: &Schedules, b: &Schedules, paired: bool) -> Option<ComparedPeriods> {
    Some(ComparedPeriods { a: a.periods()?, b: b.periods()?, shares: share_shifts(a, b, paired) })
}

impl Schedules<'_> {
    /// Returns the recordings that have the cell, each with its values.
    fn cells(&self) -> impl Iterator<Item = (&ComparableRun, &CellValues)> {
        self.runs.iter().filter_map(|run| Some((*run, run.matching_cell(self.key)?)))
    }

    /// Returns the periods of all recordings of the side; `None` if it has no schedule.
    fn periods(&self) -> Option<PeriodsOfSide> {
        let counts = self.counts()?;
        let each = |of: fn(&TimeLeft) -> Option<Nanos>| -> Option<Vec<Nanos>> {
            self.cells().map(|(_, cell)| cell.time_left.as_ref().and_then(of)).collect()
        };
        let p99 = each(|left| left.p99).and_then(|all| middle_of(all.into_iter().map(Nanos::as_f64).collect()));
        let least = each(|left| left.least).and_then(|all| all.into_iter().min());
        let left_p99 = p99.map(Nanos::from_f64);
        Some(PeriodsOfSide { counts, left_p99, left_least: least, work: self.work() })
    }

    /// Returns the counts of periods of all recordings of the side; `None` if it has no schedule.
    fn counts(&self) -> Option<PeriodCounts> {
        let mut sum = Periods::default();
        self.cells().for_each(|(run, cell)| sum.add(&self.account(run, cell)));
        (sum.asked > 0).then(|| document::periods(&sum))
    }

    /// Returns the counts of each recording; `None` for one that counts none.
    pub(super) fn counts_of_each(&self) -> impl Iterator<Item = Option<PeriodCounts>> {
        let counts = |account: Periods| (account.asked > 0).then(|| document::periods(&account));
        self.cells().map(move |(run, cell)| counts(self.account(run, cell)))
    }

    /// Returns the sum of the accounts that the cell's threads gave of their periods.
    fn account(&self, run: &ComparableRun, cell: &CellValues) -> Periods {
        let mut sum = Periods::default();
        let is_own = |periods: &&Periods| {
            periods.cell == cell.cell.id && self.key.thread().is_none_or(|thread| thread == periods.thread)
        };
        run.note.periods.iter().filter(is_own).for_each(|periods| sum.add(periods));
        sum
    }

    /// Returns the periods of each recording with and without time for their work; `None` where that is not known.
    pub(super) fn work_of_each(&self) -> impl Iterator<Item = Option<PeriodsForWork>> {
        self.cells().map(|(_, cell)| cell.time_left.and_then(|left| left.work))
    }

    /// Returns the sum of these; `None` if a recording does not know it.
    fn work(&self) -> Option<PeriodsForWork> {
        let each = self.work_of_each().collect::<Option<Vec<_>>>()?;
        let sum = |of: fn(&PeriodsForWork) -> u64| each.iter().map(of).fold(0, u64::saturating_add);
        let time = each.first()?.time;
        Some(PeriodsForWork { time, enough: sum(|work| work.enough), missed: sum(|work| work.missed) })
    }
}

/// Returns the differences of the shares that every recording of both sides knows.
pub(super) fn share_shifts(a: &Schedules, b: &Schedules, paired: bool) -> Vec<ShareShift> {
    let share_shift = |periods| share_shift(periods, &percents(a, periods)?, &percents(b, periods)?, paired);
    ComparedShare::ALL.into_iter().filter_map(share_shift).collect()
}

/// Returns the share of some periods in each recording of a side, in percent; `None` if one does not know it.
fn percents(side: &Schedules, periods: ComparedShare) -> Option<Vec<f64>> {
    let percent = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
    let of_counts = |count: fn(&PeriodCounts) -> u64| {
        let each = side.counts_of_each().map(|counts| counts.map(|counts| percent(count(&counts), counts.asked)));
        each.collect()
    };
    match periods {
        ComparedShare::Late => of_counts(|counts| counts.late),
        ComparedShare::Skipped => of_counts(|counts| counts.skipped),
        ComparedShare::Missed => {
            side.work_of_each().map(|work| work.map(|work| percent(work.missed, work.all()))).collect()
        }
    }
}

fn share_shift(periods: ComparedShare, a: &[f64], b: &[f64], paired: bool) -> Option<ShareShift> {
    // The means over recordings of the same number of periods are the shares of all their periods; so is their difference.
    let mean = |each: &[f64]| (!each.is_empty()).then(|| each.iter().sum::<f64>() / each.len() as f64);
    let (of_a, of_b) = (mean(a)?, mean(b)?);
    let size = of_b - of_a;
    // How much two runs differ is not known from one a side.
    let found = if let ([_], [_]) = (a, b) { None } else { Some(tested(a, b, paired)?) };
    Some(ShareShift {
        periods,
        a_percent: of_a,
        b_percent: of_b,
        size_points: size,
        low_points: found.map(|found| found.low.min(size)),
        high_points: found.map(|found| found.high.max(size)),
        confidence: found.map_or(0.0, |found| found.confidence),
        p: found.map(|found| found.p),
        p_corrected: None,
        between_a_points: deviation(a),
        between_b_points: deviation(b),
        verdict: ShareVerdict::Open,
    })
}
