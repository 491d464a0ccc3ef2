//! How far the share of a schedule's late, skipped or missed periods differs between the sides.

use super::periods::Schedules;
use super::shift::{deviation, tested};
use oversleep_figures::quantile::middle_of;
use oversleep_recording::document::{ComparedShare, PeriodCounts, ShareShift, ShareVerdict};

/// Returns the differences of the shares that every recording of both sides knows.
pub(super) fn shifts(a: &Schedules, b: &Schedules, paired: bool) -> Vec<ShareShift> {
    let shift = |periods| shift(periods, &percents(a, periods)?, &percents(b, periods)?, paired);
    ComparedShare::ALL.into_iter().filter_map(shift).collect()
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

fn shift(periods: ComparedShare, a: &[f64], b: &[f64], paired: bool) -> Option<ShareShift> {
    let (of_a, of_b) = (middle_of(a.to_vec())?, middle_of(b.to_vec())?);
    // How much two runs differ is not known from one a side.
    let found = if let ([_], [_]) = (a, b) { None } else { Some(tested(a, b, paired)?) };
    Some(ShareShift {
        periods,
        a_percent: of_a,
        b_percent: of_b,
        size_points: found.map_or(of_b - of_a, |found| found.size),
        low_points: found.map(|found| found.low),
        high_points: found.map(|found| found.high),
        confidence: found.map_or(0.0, |found| found.confidence),
        p: found.map(|found| found.p),
        p_corrected: None,
        between_a_points: deviation(a),
        between_b_points: deviation(b),
        verdict: ShareVerdict::Open,
    })
}
