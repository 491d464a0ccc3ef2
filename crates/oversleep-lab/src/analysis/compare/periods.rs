//! The periods of two schedules.

use super::ComparableRun;
use super::run::CellKey;
use crate::analysis::document;
use oversleep_recording::Periods;
use oversleep_recording::document::{ComparedPeriods, PeriodCounts};

/// Returns the periods of a cell, where both sides kept a schedule.
pub(super) fn compared(
    a: &(&[&ComparableRun], &CellKey),
    b: &(&[&ComparableRun], &CellKey),
) -> Option<ComparedPeriods> {
    Some(ComparedPeriods { a: counted(a)?, b: counted(b)? })
}

/// Returns the periods of all recordings of a side; `None` if it has no schedule.
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
