//! The periods of two schedules.

use super::run::CellKey;
use super::{CellValues, ComparableRun};
use crate::analysis::document;
use crate::figures::quantile::median_of_floats;
use oversleep_recording::Periods;
use oversleep_recording::document::{ComparedPeriods, PeriodCounts, PeriodsOfSide, TimeLeft};
use oversleep_sys::units::Nanos;

/// Returns the periods of a cell, where both sides kept a schedule.
pub(super) fn compared(
    a: &(&[&ComparableRun], &CellKey),
    b: &(&[&ComparableRun], &CellKey),
) -> Option<ComparedPeriods> {
    Some(ComparedPeriods { a: of_side(a)?, b: of_side(b)? })
}

/// Returns the periods of all recordings of a side; `None` if it has no schedule.
fn of_side(side: &(&[&ComparableRun], &CellKey)) -> Option<PeriodsOfSide> {
    let counts = counted(side)?;
    let cells: Vec<&CellValues> = side.0.iter().filter_map(|run| run.of(side.1)).collect();
    let each = |of: fn(&TimeLeft) -> Option<Nanos>| -> Option<Vec<Nanos>> {
        cells.iter().map(|cell| cell.time_left.as_ref().and_then(of)).collect()
    };
    let p99 = each(|left| left.p99).and_then(|all| median_of_floats(all.into_iter().map(Nanos::as_f64).collect()));
    let least = each(|left| left.least).and_then(|all| all.into_iter().min());
    Some(PeriodsOfSide { counts, left_p99: p99.map(Nanos::from_f64), left_least: least })
}

/// Returns the counts of periods of all recordings of a side; `None` if it has no schedule.
fn counted((side, key): &(&[&ComparableRun], &CellKey)) -> Option<PeriodCounts> {
    let of_run = |run: &&ComparableRun| {
        let id = run.of(key)?.cell.id;
        let own = |periods: &&Periods| periods.cell == id && key.thread().is_none_or(|own| own == periods.thread);
        Some(run.note.periods.iter().filter(own).copied().collect::<Vec<_>>())
    };
    let mut sum = Periods::default();
    side.iter().filter_map(of_run).flatten().for_each(|periods| sum.add(&periods));
    (sum.asked > 0).then(|| document::periods(&sum))
}
