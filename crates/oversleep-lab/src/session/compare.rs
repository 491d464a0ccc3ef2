//! Comparison of two sides of recordings: the document, its text, and the checks asked for.

use super::results::pretty;
use crate::analysis::compare::{self, ComparableRun};
use crate::report::check::CheckResult;
use crate::report::{self, Screen};
use oversleep_recording::document::{Compared, ComparedFigure, QuantileShift, ShiftVerdict};
use oversleep_sys::units::Nanos;
use std::str::FromStr;

/// Returns the number of recordings per side above which an exact comparison takes too long or too much memory.
///
/// The counts behind the unpaired test grow with the cube of it, those of pairs with the square; with 400 pairs they
/// stay within a float's range.
pub const fn most_runs(paired: bool) -> usize {
    if paired { 400 } else { 100 }
}

/// A comparison of two sides of recordings.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison(pub Compared);

impl Comparison {
    /// Compares the recordings of side A with those of side B. If `paired`, the n-th of A belongs with the n-th of B.
    pub fn new(a: &[&ComparableRun], b: &[&ComparableRun], paired: bool) -> Self {
        Self(compare::compare(a, b, paired))
    }

    /// Compares two sides that were measured in turns A B B A, and A with itself as a control.
    pub fn interleaved(a: &[&ComparableRun], b: &[&ComparableRun]) -> Self {
        let mut compared = compare::compare(a, b, true);
        // The control has the same design: of every four recordings of A, the outer two against the inner two.
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for four in a.chunks_exact(4) {
            outer.extend([four[0], four[3]]);
            inner.extend([four[1], four[2]]);
        }
        if !outer.is_empty() {
            compared.control = Some(compare::compare(&outer, &inner, true).cells);
        }
        Self(compared)
    }

    /// Returns the document as JSON.
    pub fn json(&self) -> String {
        pretty(&self.0)
    }

    /// Returns the comparison as text for the screen.
    pub fn text(&self, screen: Screen) -> String {
        report::compare::report(&self.0, screen)
    }

    /// Returns half the width of the widest interval of the medians; `None` while there are too few recordings for a 95
    /// % interval.
    pub fn resolution(&self) -> Option<Nanos> {
        let medians = self.0.cells.iter().map(|cell| cell.shifts.first());
        let widths = medians.map(|shift| shift.filter(|shift| shift.confidence >= 0.95).map(half_width));
        widths.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max).map(Nanos::from_f64)
    }
}

fn half_width(shift: &QuantileShift) -> f64 {
    (shift.high_ns - shift.low_ns) / 2.0
}

/// A shift that counts as a failure, such as `p99>+10%`, `p50>+2us` or `p50<-5%`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShiftLimit {
    figure: ComparedFigure,
    later: bool,
    limit: Limit,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    /// Per cent of side A's figure.
    Percent(f64),
    Time(Nanos),
}

impl FromStr for ShiftLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let explain = || {
            format!(
                "'{text}' is not a check of a shift; write a figure (p50, p99, p99.9), > or <, and a signed share or time: p99>+10%"
            )
        };
        let place = text.find(['<', '>']).ok_or_else(explain)?;
        let (name, rest) = text.split_at(place);
        let figure = ComparedFigure::ALL.into_iter().find(|figure| figure.name() == name.trim()).ok_or_else(explain)?;
        let value = rest[1..].trim().trim_start_matches('+').replace('−', "-");
        let limit = match value.strip_suffix('%') {
            Some(number) => {
                let percent: f64 = number.trim().parse().map_err(|_| explain())?;
                if !percent.is_finite() {
                    return Err(explain());
                }
                Limit::Percent(percent)
            }
            None => Limit::Time(value.parse().map_err(|_| explain())?),
        };
        Ok(Self { figure, later: rest.starts_with('>'), limit })
    }
}

impl ShiftLimit {
    /// Returns the cells that fail the check, and those that remain undecided. A difference that may be due to chance
    /// fails nothing; one that is not known well enough passes nothing.
    pub fn judge(&self, comparison: &Comparison) -> Vec<CheckResult> {
        let cells = &comparison.0.cells;
        if cells.is_empty() {
            return vec![CheckResult::Undecided("no cell is on both sides".to_owned())];
        }
        cells
            .iter()
            .filter_map(|cell| {
                let (name, figure) = (&cell.a.method, self.figure.name());
                match cell.shifts.iter().find(|shift| shift.figure == self.figure) {
                    None => Some(CheckResult::Undecided(format!("{name}: the recordings carry no {figure}"))),
                    Some(shift) => self.judge_shift(name, shift, cells.len()),
                }
            })
            .collect()
    }

    fn judge_shift(&self, name: &str, shift: &QuantileShift, cells: usize) -> Option<CheckResult> {
        let limit = match self.limit {
            Limit::Time(time) => time.as_f64(),
            Limit::Percent(percent) => shift.a_ns.as_f64() * percent / 100.0,
        };
        let figure = self.figure.name();
        let size = report::compare::size(shift);
        match shift.verdict {
            ShiftVerdict::Open => Some(CheckResult::Undecided(format!(
                "{name}: {figure} {size}, from too few recordings to tell among {cells} cells; give more a side, or measure with --run"
            ))),
            ShiftVerdict::NotSeen => None,
            _ => {
                let beyond = if self.later { shift.low_ns > limit } else { shift.high_ns < limit };
                beyond.then(|| CheckResult::Failed(format!("{name}: {figure} {size}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let read = |text: &str| text.parse::<ShiftLimit>();
        let limit = ShiftLimit { figure: ComparedFigure::P99, later: true, limit: Limit::Percent(10.0) };
        assert_eq!(read("p99 > +10%"), Ok(limit));
        assert_eq!(read("p50>2us").unwrap().limit, Limit::Time(Nanos::from_micros(2)));
        assert_eq!(read("p99.9<-5 %").unwrap().limit, Limit::Percent(-5.0));
        for wrong in ["p98>1%", "p50", "p50>fast", "p50>NaN%", "p50>%"] {
            assert!(read(wrong).is_err_and(|text| text.contains("p99>+10%")), "{wrong}");
        }
    }
}
