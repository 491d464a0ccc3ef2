//! Checks of another program's counts, of whose figures only bounds are known.

use super::figure::{Figure, FigureCheck, Series};
use super::{CheckResult, sign};
use crate::distributions;
use oversleep_figures::{buckets, time_left};
use oversleep_recording::Loss;
use oversleep_recording::document::{Bounds, DistributionFigures};
use oversleep_sys::units::Nanos;

impl FigureCheck {
    /// Judges one row of counts.
    pub(super) fn judge_counts(&self, row: &DistributionFigures) -> CheckResult {
        let name = self.name();
        let sign = sign(self.above);
        let Some(Bounds { low, high }) = self.bounds(row) else {
            let lacks_periods = row.corrected.is_none() && row.lost.contains(&Loss::SkippedPeriods);
            let no_quantile = matches!(self.figure, Figure::Min | Figure::Mean);
            let lacks_period = self.series == Series::Left && row.requested_ns.is_none();
            let of_periods = self.is_of_periods() && (no_quantile || lacks_periods);
            let needs = if lacks_period || of_periods {
                "is not in the file".to_owned()
            } else {
                format!("{}; only {}", self.figure.needs(), row.n)
            };
            return CheckResult::Undecided(format!("{}: {name} {needs}", row.method));
        };
        // Both ends decide alike, or the limit is between them.
        let (fails, passes) = if self.above {
            (low.is_some_and(|low| low > self.limit), high.is_some_and(|high| high <= self.limit))
        } else {
            (high.is_some_and(|high| high < self.limit), low.is_some_and(|low| low >= self.limit))
        };
        let figure = format!("{}: {name} {}", row.method, shown(low, high, self.limit));
        let limit = format!("{sign} {:#}", self.limit);
        match (fails, passes) {
            (_, true) => {
                let end = if self.above { high } else { low };
                let room = end.map_or(f64::MAX, |end| self.room(end));
                CheckResult::Passed { text: format!("{figure}, not {limit}"), room }
            }
            (true, _) => CheckResult::Failed(format!("{figure} {limit}")),
            _ => CheckResult::Undecided(format!("{figure} {limit}: the file does not say")),
        }
    }

    /// Returns the bounds of the figure in another program's counts; `None` where the file does not carry it.
    fn bounds(&self, row: &DistributionFigures) -> Option<Bounds> {
        match self.series {
            Series::Raw => {}
            Series::Corrected => return self.corrected_bounds(row),
            Series::Left => {
                let (period, late) = (row.requested_ns?, self.corrected_bounds(row)?);
                let left = |late: Option<Nanos>| late.map(|late| time_left(period, late));
                return Some(Bounds { low: left(late.high), high: left(late.low) });
            }
        }
        match self.figure {
            Figure::Min => Some(Bounds { low: Some(row.min?), high: None }),
            // Files round means to their unit.
            Figure::Mean => row.mean_ns.map(Nanos::from_f64).map(|mean| Bounds {
                low: Some(mean),
                high: Some(if mean.get() % 1_000 == 0 { mean + Nanos::new(999) } else { mean }),
            }),
            Figure::P50 => row.p50,
            Figure::P90 => row.p90,
            Figure::P99 => row.p99,
            Figure::P999 => row.p999,
            Figure::Max => row.max.map(buckets::largest),
        }
    }

    /// Returns the bounds of the figure of every period.
    fn corrected_bounds(&self, row: &DistributionFigures) -> Option<Bounds> {
        let of_wakes = Self { series: Series::Raw, ..*self };
        match (&row.corrected, self.figure) {
            // What skipped periods felt is shorter than the latest wake-up.
            (_, Figure::Max) => of_wakes.bounds(row),
            (Some(corrected), Figure::P50) => corrected.p50,
            (Some(corrected), Figure::P90) => corrected.p90,
            (Some(corrected), Figure::P99) => corrected.p99,
            (Some(corrected), Figure::P999) => corrected.p999,
            (Some(_), _) => None,
            (None, _) if row.lost.contains(&Loss::SkippedPeriods) => None,
            (None, _) => of_wakes.bounds(row),
        }
    }
}

/// Returns bounds as reports show them, or with all digits where a rounded one would look like the limit.
fn shown(low: Option<Nanos>, high: Option<Nanos>, limit: Nanos) -> String {
    let looks_equal = |end: Option<Nanos>| end.is_some_and(|end| end != limit && end.to_string() == limit.to_string());
    if !looks_equal(low) && !looks_equal(high) {
        return distributions::bounds(Some(Bounds { low, high }));
    }
    match (low, high) {
        (Some(low), Some(high)) if low == high => format!("{low:#}"),
        (Some(low), Some(high)) => format!("{low:#} to {high:#}"),
        (Some(low), None) => format!("above {low:#}"),
        (None, high) => format!("below {:#}", high.unwrap_or(Nanos::ZERO)),
    }
}
