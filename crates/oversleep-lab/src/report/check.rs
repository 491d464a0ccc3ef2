//! Checks that decide an exit code, such as `p99>100us`.

use super::{distributions, table};
use crate::figures::quantile::{Fraction, samples_needed};
use crate::figures::{CellSummary, buckets, time_left};
use oversleep_recording::document::{Bounds, DistributionFigures, Figures};
use oversleep_recording::plan::Pattern;
use oversleep_recording::{Loss, Periods};
use oversleep_sys::units::Nanos;
use std::str::FromStr;

/// Result of a check: one line for a cell that did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckResult {
    /// The figure is beyond the limit.
    Failed(String),
    /// The samples do not decide on which side of the limit the figure is.
    Undecided(String),
}

/// A condition under which a run counts as failed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FailIf {
    figure: Figure,
    series: Series,
    above: bool,
    limit: Nanos,
}

/// What the figure is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Series {
    /// The wake-ups that were seen.
    Raw,
    /// Every period of a schedule.
    Corrected,
    /// The time that every period of a schedule left after its wake-up. What the share `p` of the periods left at least is
    /// the period less the corrected `p`; the least is the period less the corrected maximum.
    Left,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Figure {
    Min,
    Mean,
    P50,
    P90,
    P99,
    P999,
    Max,
    /// Number of a schedule's periods without a wake-up of their own.
    Skipped,
    /// Number of a schedule's wake-ups that came after the next was due.
    Late,
}

const FIGURES: [(&str, Figure); 10] = [
    ("min", Figure::Min),
    ("mean", Figure::Mean),
    ("p50", Figure::P50),
    ("p90", Figure::P90),
    ("p99.9", Figure::P999),
    ("p999", Figure::P999),
    ("p99", Figure::P99),
    ("max", Figure::Max),
    ("skipped", Figure::Skipped),
    ("late", Figure::Late),
];

impl FromStr for FailIf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let explain = || {
            format!(
                "'{text}' is not a check; write a figure (min, mean, p50, p90, p99, p99.9, max), < or >, and a time, such as p99>100us; \
                 of a schedule also 'corrected p99>1ms' for a figure of every period, 'p99 left<8ms' for what 99 % of the periods left \
                 after waking (left<8ms: all of them), and skipped>0 or late>0"
            )
        };
        let place = text.find(['<', '>']).ok_or_else(explain)?;
        let (name, rest) = text.split_at(place);
        if rest[1..].starts_with('=') {
            return Err(format!(
                "'{text}': a check has no >= and no <=; write {}{}{}",
                name.trim(),
                &rest[..1],
                rest[2..].trim()
            ));
        }
        let (series, name) = match name.trim().split_once(' ') {
            Some((CORRECTED, name)) => (Series::Corrected, name.trim()),
            Some((quantile, last)) if last.trim() == LEFT && quantile.starts_with('p') => (Series::Left, quantile),
            None if name.trim() == LEFT => (Series::Left, "max"),
            _ => (Series::Raw, name.trim()),
        };
        let figure = FIGURES.iter().find(|(known, _)| *known == name);
        let figure = figure.ok_or_else(|| mistaken(text, name, rest).unwrap_or_else(explain))?.1;
        if series == Series::Corrected && figure.is_count() {
            return Err(format!("{name} counts every period already; write {name}>0"));
        }
        let limit = match rest[1..].trim() {
            count if figure.is_count() => count
                .parse()
                .ok()
                .filter(|count| *count >= 0)
                .map(Nanos::new)
                .ok_or_else(|| format!("'{count}' is not a number of periods; write {name}>0"))?,
            time => time.parse().map_err(|error| format!("{error}"))?,
        };
        Ok(Self { figure, series, above: rest.starts_with('>'), limit })
    }
}

/// Returns the error for a word that is often used in place of a figure's name, such as `median`; `rest` is the check after it.
fn mistaken(text: &str, name: &str, rest: &str) -> Option<String> {
    let last = name.rsplit(' ').next().unwrap_or(name);
    Some(match last {
        _ if name.starts_with("left ") => format!("'{text}': write {last} {LEFT}{rest}"),
        "median" => format!("'{text}': the median is p50; write p50{rest}"),
        "p95" | "p75" => format!("'{text}': no row has {last}; the quantiles are p50, p90, p99 and p99.9"),
        known if known != name && FIGURES.iter().any(|(figure, _)| *figure == known) => {
            format!("'{text}': a check holds for every row, and names none; write {known}{rest}")
        }
        _ => return None,
    })
}

/// Word before a figure of every period.
const CORRECTED: &str = "corrected";
/// Word after a quantile of the time that periods left, or alone for the least.
const LEFT: &str = "left";
/// Message for figures that only a schedule has.
const NEEDS_SCHEDULE: &str = "needs a schedule (--interval)";

impl Figure {
    /// Returns whether it counts periods; the others are times.
    const fn is_count(self) -> bool {
        matches!(self, Self::Skipped | Self::Late)
    }

    /// Returns the quantile that the figure is, if it is one.
    const fn fraction(self) -> Option<Fraction> {
        match self {
            Self::P50 => Some(Fraction::P50),
            Self::P90 => Some(Fraction::P90),
            Self::P99 => Some(Fraction::P99),
            Self::P999 => Some(Fraction::P999),
            Self::Min | Self::Mean | Self::Max | Self::Skipped | Self::Late => None,
        }
    }

    /// Returns the number of samples that the figure needs, in words.
    fn needs(self) -> String {
        match self.fraction() {
            Some(fraction) => format!("needs {} samples", samples_needed(fraction)),
            None if self.is_count() => NEEDS_SCHEDULE.to_owned(),
            None => "needs samples".to_owned(),
        }
    }

    /// Returns the option of `measure` that gets as many samples of this pattern; empty if the figure is not a quantile.
    fn option(self, pattern: Pattern) -> String {
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

impl FailIf {
    /// Returns the cells that fail, and those left undecided by too few samples: a check must not pass for lack of
    /// evidence.
    pub fn judge<'a>(&self, cells: impl Iterator<Item = &'a CellSummary>) -> Vec<CheckResult> {
        let cells: Vec<&CellSummary> = cells.collect();
        let judge = |(cell, row): (&&CellSummary, String)| self.judge_one(cell, &row);
        let judged = cells.iter().zip(rows(&cells)).filter(|(cell, _)| cell.raw.n > 0);
        judged.filter_map(judge).collect()
    }

    /// Judges one cell, whose row is named `row`.
    fn judge_one(&self, cell: &CellSummary, row: &str) -> Option<CheckResult> {
        let name = self.name();
        let sign = if self.above { '>' } else { '<' };
        match self.value(cell) {
            None if self.figure.is_count() || self.series != Series::Raw && cell.corrected.is_none() => {
                Some(CheckResult::Undecided(format!("{row}: {name} {NEEDS_SCHEDULE}")))
            }
            None => {
                let (needs, n) = (self.figure.needs(), self.figures(cell).map_or(0, |figures| figures.n));
                let option = self.figure.option(cell.cell.pattern);
                Some(CheckResult::Undecided(format!("{row}: {name} {needs}{option}; only {n}")))
            }
            Some(value) if self.is_beyond(value) => {
                if self.figure.is_count() {
                    let (count, limit) = (value.get(), self.limit.get());
                    return Some(CheckResult::Failed(format!("{row}: {name} {count} {sign} {limit}")));
                }
                Some(CheckResult::Failed(format!("{row}: {name} {value:#} {sign} {:#}", self.limit)))
            }
            Some(_) => None,
        }
    }

    /// Returns the rows of another program's counts that fail, and those whose bounds do not decide.
    pub fn judge_counts<'a>(&self, rows: impl Iterator<Item = &'a DistributionFigures>) -> Vec<CheckResult> {
        let judge = |row: &DistributionFigures| {
            let name = self.name();
            let sign = if self.above { '>' } else { '<' };
            let Some(Bounds { low, high }) = self.bounds(row) else {
                let lacks_periods = row.corrected.is_none() && row.lost.contains(&Loss::SkippedPeriods);
                let no_quantile = matches!(self.figure, Figure::Min | Figure::Mean);
                let lacks_period = self.series == Series::Left && row.requested_ns.is_none();
                let of_periods = self.series != Series::Raw && (no_quantile || lacks_periods);
                let needs = if self.figure.is_count() || lacks_period || of_periods {
                    "is not in the file".to_owned()
                } else {
                    format!("{}; only {}", self.figure.needs(), row.n)
                };
                return Some(CheckResult::Undecided(format!("{}: {name} {needs}", row.method)));
            };
            // Both ends decide alike, or the limit is between them.
            let (fails, passes) = if self.above {
                (low.is_some_and(|low| low > self.limit), high.is_some_and(|high| high <= self.limit))
            } else {
                (high.is_some_and(|high| high < self.limit), low.is_some_and(|low| low >= self.limit))
            };
            (!passes).then(|| {
                let shown = shown(low, high, self.limit);
                let text = format!("{}: {name} {shown} {sign} {:#}", row.method, self.limit);
                if fails { CheckResult::Failed(text) } else { CheckResult::Undecided(text + ": the file does not say") }
            })
        };
        rows.filter_map(judge).collect()
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
            Figure::Skipped | Figure::Late => None,
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

    /// Returns the name of the figure.
    fn name(&self) -> String {
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
        let count = |of: fn(&Periods) -> u64| cell.periods.as_ref().map(of).map(|n| Nanos::new(n.cast_signed()));
        match self.figure {
            Figure::Skipped => count(|periods| periods.skipped),
            Figure::Late => count(|periods| periods.late),
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

/// Returns the names of the cells' rows: the method, with the request and the conditions where those of the cells differ.
fn rows(cells: &[&CellSummary]) -> Vec<String> {
    let asked = table::asked(cells.iter().copied());
    let under = |cell: &&CellSummary| table::conditions(&cell.cell.conditions, cell.obtained.as_ref());
    let conditions: Vec<String> = cells.iter().map(under).collect();
    let differ = |each: &[String]| each.windows(2).any(|two| two[0] != two[1]);
    let (with_request, with_conditions) = (differ(&asked), differ(&conditions));
    let name = |((cell, asked), conditions): ((&&CellSummary, &String), &String)| {
        let mut name = cell.cell.method.clone();
        if with_request {
            name += &format!(" {asked}");
        }
        if with_conditions {
            name += &format!(", {conditions}");
        }
        name
    };
    cells.iter().zip(&asked).zip(&conditions).map(name).collect()
}

/// Returns bounds as reports show them, or with all digits where a rounded one would look like the limit.
fn shown(low: Option<Nanos>, high: Option<Nanos>, limit: Nanos) -> String {
    let alike = |end: Option<Nanos>| end.is_some_and(|end| end != limit && end.to_string() == limit.to_string());
    if !alike(low) && !alike(high) {
        return distributions::bounds(Some(Bounds { low, high }));
    }
    match (low, high) {
        (Some(low), Some(high)) if low == high => format!("{low:#}"),
        (Some(low), Some(high)) => format!("{low:#} to {high:#}"),
        (Some(low), None) => format!("above {low:#}"),
        (None, high) => format!("below {:#}", high.unwrap_or(Nanos::ZERO)),
    }
}

#[cfg(test)]
mod tests;
