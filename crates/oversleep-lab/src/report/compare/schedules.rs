//! The periods of two schedules, and the time that they left, in a line each.

use super::super::percent::percent_unrounded_at_ends;
use super::needed;
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedFigure, ComparedPeriods, PeriodCounts, PeriodsOfSide,
};

/// Returns the lines on a cell's schedules; none where it has none.
pub(super) fn lines(cell: &ComparedCell, compared: &Compared) -> Vec<String> {
    let Some(periods) = cell.periods else { return Vec::new() };
    let several = compared.a.len().max(compared.b.len()) > 1;
    std::iter::once(counts(periods)).chain(time_left(periods, several)).collect()
}

/// Returns how many periods each side's schedule kept.
fn counts(of: ComparedPeriods) -> String {
    let side = |name: &str, periods: PeriodCounts| {
        let share = |count| percent_unrounded_at_ends(count as f64 / periods.asked.max(1) as f64);
        let PeriodCounts { asked, fresh, late, skipped, .. } = periods;
        let [share_fresh, share_late, share_skipped] = [fresh, late, skipped].map(share);
        format!(
            "{name} {asked} asked, {fresh} fresh ({share_fresh}), {late} late ({share_late}), {skipped} skipped ({share_skipped})"
        )
    };
    format!("periods, not tested: {}; {}", side("A", of.a.counts), side("B", of.b.counts))
}

/// Returns how much of the periods each side's wake-ups left; `None` where a side does not tell. `several`: whether a side
/// has several recordings.
fn time_left(of: ComparedPeriods, several: bool) -> Option<String> {
    let side = |name: &str, periods: PeriodsOfSide| {
        let least = periods.left_least?;
        let at_least = periods.left_p99.map_or_else(String::new, |p99| format!("at least {p99} in 99 % of periods, "));
        Some(format!("{name} {at_least}least {least}"))
    };
    let (a, b) = (side("A", of.a)?, side("B", of.b)?);
    let remark = match (of.a.left_p99, of.b.left_p99) {
        (Some(_), Some(_)) if several => " (of 99 %, the median of the recordings)".to_owned(),
        (Some(_), Some(_)) => String::new(),
        _ => format!(" (that of 99 % needs {} periods in each recording)", needed(ComparedFigure::P99)),
    };
    Some(format!("time left after waking, not tested: {a}; {b}{remark}"))
}
