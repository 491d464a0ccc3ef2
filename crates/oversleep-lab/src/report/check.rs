//! Checks that decide an exit code, such as `p99>100us`.

use super::distributions;
use crate::figures::quantile::{Fraction, samples_needed};
use crate::figures::{CellSummary, buckets};
use oversleep_recording::Periods;
use oversleep_recording::document::{Bounds, DistributionFigures, Figures};
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
    above: bool,
    limit: Nanos,
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
    ("p999", Figure::P999),
    ("p99.9", Figure::P999),
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
                 or skipped>0, late>0 for the periods of a schedule"
            )
        };
        let place = text.find(['<', '>']).ok_or_else(explain)?;
        let (name, rest) = text.split_at(place);
        let figure = FIGURES.iter().find(|(known, _)| *known == name.trim()).ok_or_else(explain)?.1;
        let limit = match rest[1..].trim() {
            count if figure.is_count() => count
                .parse()
                .ok()
                .filter(|count| *count >= 0)
                .map(Nanos::new)
                .ok_or_else(|| format!("'{count}' is not a number of periods; write {}>0", name.trim()))?,
            time => time.parse().map_err(|error| format!("{error}"))?,
        };
        Ok(Self { figure, above: rest.starts_with('>'), limit })
    }
}

impl Figure {
    /// Returns whether it counts periods; the others are times.
    const fn is_count(self) -> bool {
        matches!(self, Self::Skipped | Self::Late)
    }

    /// Returns the number of samples that the figure needs, in words.
    fn needs(self) -> String {
        let fraction = match self {
            Self::P50 => Fraction::P50,
            Self::P90 => Fraction::P90,
            Self::P99 => Fraction::P99,
            Self::P999 => Fraction::P999,
            Self::Min | Self::Mean | Self::Max => return "needs samples".to_owned(),
            Self::Skipped | Self::Late => return "needs a schedule (--interval)".to_owned(),
        };
        format!("needs {} samples", samples_needed(fraction))
    }
}

impl FailIf {
    /// Returns the cells that fail, and those left undecided by too few samples: a check must not pass for lack of
    /// evidence.
    pub fn judge<'a>(&self, cells: impl Iterator<Item = &'a CellSummary>) -> Vec<CheckResult> {
        let judge = |cell: &CellSummary| {
            let name = self.name();
            let sign = if self.above { '>' } else { '<' };
            match self.value(cell) {
                None if self.figure.is_count() => {
                    Some(CheckResult::Undecided(format!("{}: {name} {}", cell.cell.method, self.figure.needs())))
                }
                None => {
                    let needs = self.figure.needs();
                    Some(CheckResult::Undecided(format!("{}: {name} {needs}; only {}", cell.cell.method, cell.raw.n)))
                }
                Some(value) if (self.above && value > self.limit) || (!self.above && value < self.limit) => {
                    let method = &cell.cell.method;
                    if self.figure.is_count() {
                        let (count, limit) = (value.get(), self.limit.get());
                        return Some(CheckResult::Failed(format!("{method}: {name} {count} {sign} {limit}")));
                    }
                    Some(CheckResult::Failed(format!("{method}: {name} {value:#} {sign} {:#}", self.limit)))
                }
                Some(_) => None,
            }
        };
        cells.filter(|cell| cell.raw.n > 0).filter_map(judge).collect()
    }

    /// Returns the rows of another program's counts that fail, and those whose bounds do not decide.
    pub fn judge_counts<'a>(&self, rows: impl Iterator<Item = &'a DistributionFigures>) -> Vec<CheckResult> {
        let judge = |row: &DistributionFigures| {
            let name = self.name();
            let sign = if self.above { '>' } else { '<' };
            let Some(Bounds { low, high }) = self.bounds(row) else {
                let needs = match self.figure {
                    Figure::Skipped | Figure::Late => "is not in the file".to_owned(),
                    figure => format!("{}; only {}", figure.needs(), row.n),
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
                let shown = distributions::bounds(Some(Bounds { low, high }));
                let text = format!("{}: {name} {shown} {sign} {:#}", row.method, self.limit);
                if fails { CheckResult::Failed(text) } else { CheckResult::Undecided(text + ": the file does not say") }
            })
        };
        rows.filter_map(judge).collect()
    }

    /// Returns the bounds of the figure in another program's counts; `None` where the file does not carry it.
    fn bounds(&self, row: &DistributionFigures) -> Option<Bounds> {
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

    /// Returns the name of the figure.
    fn name(&self) -> &'static str {
        FIGURES.iter().find(|(_, figure)| *figure == self.figure).map_or("", |(name, _)| name)
    }

    fn value(&self, cell: &CellSummary) -> Option<Nanos> {
        let figures: &Figures = &cell.raw;
        let count = |of: fn(&Periods) -> u64| cell.periods.as_ref().map(of).map(|n| Nanos::new(n.cast_signed()));
        match self.figure {
            Figure::Skipped => count(|periods| periods.skipped),
            Figure::Late => count(|periods| periods.late),
            Figure::Min => figures.min,
            Figure::Mean => figures.mean_ns.map(Nanos::from_f64),
            Figure::P50 => figures.p50,
            Figure::P90 => figures.p90,
            Figure::P99 => figures.p99,
            Figure::P999 => figures.p999,
            Figure::Max => figures.max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::Quantity;
    use oversleep_recording::plan::Conditions;

    #[test]
    fn checks_are_read() {
        let check: FailIf = "p99>100us".parse().unwrap();
        assert_eq!(check, FailIf { figure: Figure::P99, above: true, limit: Nanos::from_micros(100) });
        assert_eq!("p99.9 < 1ms".parse::<FailIf>().unwrap().figure, Figure::P999);
        assert!("p98>1us".parse::<FailIf>().unwrap_err().contains("p99>100us"));
        assert!("p99>fast".parse::<FailIf>().unwrap_err().contains("not a duration"));
        assert!("p99".parse::<FailIf>().is_err());
        let skipped: FailIf = "skipped>0".parse().unwrap();
        assert_eq!(skipped, FailIf { figure: Figure::Skipped, above: true, limit: Nanos::ZERO });
        assert_eq!("late>1ms".parse::<FailIf>().unwrap_err(), "'1ms' is not a number of periods; write late>0");
    }

    #[test]
    fn counts_of_other_programs_are_decided_where_both_bounds_agree() {
        let us = Nanos::from_micros;
        let row = DistributionFigures {
            cell: 0,
            method: "thread 0".into(),
            requested_ns: None,
            conditions: Conditions::default(),
            quantity: Quantity::Oversleep,
            n: 1000,
            outside: 0,
            min: Some(us(2)),
            mean_ns: Some(7_000.0),
            p50: Some(Bounds { low: Some(us(5)), high: Some(us(6)) }),
            p90: None,
            p99: Some(Bounds { low: Some(us(30)), high: None }),
            p999: None,
            max: Some(Nanos::new(39_999)),
            corrected: None,
            lost: Vec::new(),
        };
        let judged = |text: &str| {
            let check: FailIf = text.parse().unwrap();
            check.judge_counts(std::iter::once(&row))
        };
        for passes in ["p50>6us", "p50<5us", "max>40us", "p99<30us", "min<2us", "mean>8us"] {
            assert_eq!(judged(passes), [], "{passes}");
        }
        for fails in ["p50>4us", "p50<7us", "max>38us", "p99>20us", "mean<8us"] {
            assert!(matches!(judged(fails)[..], [CheckResult::Failed(_)]), "{fails}: {:?}", judged(fails));
        }
        for open in ["p50>5500ns", "p99>31us", "p99<31us", "min>1ms", "p90>1us", "skipped>0"] {
            assert!(matches!(judged(open)[..], [CheckResult::Undecided(_)]), "{open}: {:?}", judged(open));
        }
        let said = CheckResult::Failed("thread 0: max 39.0 µs to 40.0 µs > 10 µs".to_owned());
        assert_eq!(judged("max>10us"), [said]);
    }
}
