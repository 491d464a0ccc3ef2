//! Checks of a time: a figure of the wake-ups, of every period, or of what the periods left.

use super::{CheckResult, NEEDS_SCHEDULE, sign};
use oversleep_figures::quantile::{Fraction, samples_needed};
use oversleep_figures::{CellSummary, time_left};
use oversleep_recording::document::Figures;
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;
use std::fmt;

/// A figure with a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FigureCheck {
    pub(super) figure: Figure,
    pub(super) series: Series,
    pub(super) above: bool,
    pub(super) limit: Nanos,
}

/// What the figure is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Series {
    /// The wake-ups that were seen.
    Raw,
    /// Every period of a schedule.
    Corrected,
    /// The time that every period of a schedule left after its wake-up. What the share `p` of the periods left at least is
    /// the period less the corrected `p`; the least is the period less the corrected maximum.
    Left,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    Min,
    Mean,
    P50,
    P90,
    P99,
    P999,
    Max,
}

pub(super) const FIGURES: [(&str, Figure); 8] = [
    ("min", Figure::Min),
    ("mean", Figure::Mean),
    ("p50", Figure::P50),
    ("p90", Figure::P90),
    ("p99.9", Figure::P999),
    ("p999", Figure::P999),
    ("p99", Figure::P99),
    ("max", Figure::Max),
];

/// Word before a figure of every period.
pub(super) const CORRECTED: &str = "corrected";
/// Word after a quantile of the time that periods left, or by itself for the least.
pub(super) const LEFT: &str = "left";

impl Figure {
    /// Returns the quantile that the figure is, if it is one.
    const fn fraction(self) -> Option<Fraction> {
        match self {
            Self::P50 => Some(Fraction::P50),
            Self::P90 => Some(Fraction::P90),
            Self::P99 => Some(Fraction::P99),
            Self::P999 => Some(Fraction::P999),
            Self::Min | Self::Mean | Self::Max => None,
        }
    }

    /// Returns the number of samples that the figure needs, in words.
    pub(super) fn needs(self) -> String {
        match self.fraction() {
            Some(fraction) => format!("needs {} samples", samples_needed(fraction)),
            None => "needs samples".to_owned(),
        }
    }

    /// Returns the option of `measure` that gets as many samples of this pattern; empty if the figure is not a quantile.
    pub(super) fn option(self, pattern: Pattern) -> String {
        let Some(needed) = self.fraction().map(samples_needed) else { return String::new() };
        match pattern {
            Pattern::Periodic { period } => {
                let seconds = (u128::from(needed) * u128::from(period.get().unsigned_abs())).div_ceil(1_000_000_000);
                format!(" (-d {seconds}s)")
            }
            _ => format!(" (-n {needed})"),
        }
    }
}

impl FigureCheck {
    /// Returns whether only schedules have the figure.
    pub(super) const fn is_of_periods(self) -> bool {
        !matches!(self.series, Series::Raw)
    }

    /// Judges one cell, whose row is named `row`.
    pub(super) fn judge(&self, cell: &CellSummary, row: &str) -> CheckResult {
        let name = self.name();
        match self.value(cell) {
            None if self.is_of_periods() && cell.corrected.is_none() => {
                CheckResult::Undecided(format!("{row}: {name} {NEEDS_SCHEDULE}"))
            }
            None => {
                let (needs, n) = (self.figure.needs(), self.figures(cell).map_or(0, |figures| figures.n));
                let option = self.figure.option(cell.cell.pattern);
                CheckResult::Undecided(format!("{row}: {name} {needs}{option}; only {n}"))
            }
            Some(value) if self.is_beyond(value) => {
                let sign = sign(self.above);
                CheckResult::Failed(format!("{row}: {name} {value:#} {sign} {:#}", self.limit))
            }
            Some(value) => CheckResult::Passed {
                text: format!("{row}: {name} {value:#}, not {} {:#}", sign(self.above), self.limit),
                room: self.room(value),
            },
        }
    }

    /// Returns the name of the figure.
    pub(super) fn name(&self) -> String {
        let name = FIGURES.iter().find(|(_, figure)| *figure == self.figure).map_or("", |(name, _)| name);
        match self.series {
            Series::Raw => name.to_owned(),
            Series::Corrected => format!("{CORRECTED} {name}"),
            Series::Left if self.figure == Figure::Max => LEFT.to_owned(),
            Series::Left => format!("{name} {LEFT}"),
        }
    }

    /// Returns the figures that are checked; `None` for those of every period if the cell has no schedule.
    const fn figures<'a>(&self, cell: &'a CellSummary) -> Option<&'a Figures> {
        match self.series {
            Series::Raw => Some(&cell.raw),
            Series::Corrected | Series::Left => cell.corrected.as_ref(),
        }
    }

    /// Returns how far a value is from the limit, in ns.
    pub(super) fn room(&self, value: Nanos) -> f64 {
        (self.limit.as_f64() - value.as_f64()).abs()
    }

    fn is_beyond(&self, value: Nanos) -> bool {
        if self.above { value > self.limit } else { value < self.limit }
    }

    fn value(&self, cell: &CellSummary) -> Option<Nanos> {
        let late = self.late(cell)?;
        if self.series == Series::Left { Some(time_left(cell.period()?, late)) } else { Some(late) }
    }

    /// Returns the figure; of time left, the lateness that leaves it.
    fn late(&self, cell: &CellSummary) -> Option<Nanos> {
        let figures = self.figures(cell)?;
        match self.figure {
            Figure::Min => figures.min,
            // Rounded to the limit's far side: a mean within a nanosecond of it is compared as it is.
            Figure::Mean => {
                figures.mean_ns.map(|mean| Nanos::from_f64(if self.above { mean.ceil() } else { mean.floor() }))
            }
            Figure::P50 => figures.p50,
            Figure::P90 => figures.p90,
            Figure::P99 => figures.p99,
            Figure::P999 => figures.p999,
            Figure::Max => figures.max,
        }
    }
}

impl fmt::Display for FigureCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = format!("{:#}", self.limit).replace(' ', "");
        write!(f, "{}{}{limit}", self.name(), sign(self.above))
    }
}
