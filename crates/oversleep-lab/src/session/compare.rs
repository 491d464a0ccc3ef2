//! Comparison of two sides of recordings: the document, its text, and the checks asked for.

use super::results::pretty;
use crate::analysis::compare::{self, ComparableRun};
use crate::report::check::CheckResult;
use crate::report::{self, Screen};
use oversleep_recording::document::{
    Compared, ComparedFigure, ComparedMaximum, ErrorSource, QuantileShift, ShiftVerdict,
};
use oversleep_sys::units::Nanos;
use std::fmt;
use std::str::FromStr;

/// Returns the number of recordings per side above which an exact comparison takes too long or too much memory.
///
/// The counts behind the unpaired test grow with the cube of it, those of pairs with the square; with 400 pairs they
/// stay within a float's range.
pub const fn most_runs(paired: bool) -> usize {
    if paired { 400 } else { 100 }
}

/// Name of the largest value in a check.
const MAXIMUM: &str = "max";

/// A comparison of two sides of recordings.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison(pub Compared);

impl Comparison {
    /// Compares the recordings of side A with those of side B. If `paired`, the n-th of A belongs with the n-th of B.
    pub fn new(a: &[&ComparableRun], b: &[&ComparableRun], paired: bool) -> Self {
        Self(compare::compare(a, b, paired))
    }

    /// Compares two sides that were measured in turns A B B A, which took this time, and A with itself as a control.
    pub fn interleaved(a: &[&ComparableRun], b: &[&ComparableRun], took: Nanos) -> Self {
        let mut compared = compare::compare(a, b, true);
        compared.took = Some(took);
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
        report::compare::text(&self.0, screen)
    }

    /// Returns the comparison as Markdown for an issue tracker.
    pub fn markdown(&self) -> String {
        report::compare::markdown(&self.0)
    }

    /// Returns what was not paired on each side, A first: method, request and conditions of the first few cells.
    pub fn unpaired(&self) -> [String; 2] {
        report::compare::unpaired(&self.0)
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
    figure: Limited,
    later: bool,
    limit: Limit,
}

/// A figure with a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Limited {
    Quantile(ComparedFigure),
    /// The largest value, which is compared without a test.
    Maximum,
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
                "'{text}' is not a check of a shift; write a figure (p50, p99, p99.9, max), > or <, and a signed share or time: p99>+10%"
            )
        };
        let place = text.find(['<', '>']).ok_or_else(explain)?;
        let (name, rest) = text.split_at(place);
        let figure = match name.trim() {
            MAXIMUM => Limited::Maximum,
            name => {
                let quantile = ComparedFigure::ALL.into_iter().find(|figure| figure.name() == name);
                Limited::Quantile(quantile.ok_or_else(explain)?)
            }
        };
        let written = rest[1..].trim();
        let value = written.trim_start_matches('+').replace('−', "-");
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
        // `p50>100us` reads as a limit of the figure itself, which is another check.
        if !written.starts_with(['+', '-', '−']) && !limit.is_zero() {
            return Err(format!(
                "'{text}' limits no difference without a sign: write {}{}+{written} (a limit of the figure itself is a check of `report`)",
                name.trim(),
                &rest[..1]
            ));
        }
        Ok(Self { figure, later: rest.starts_with('>'), limit })
    }
}

impl Limit {
    fn is_zero(self) -> bool {
        match self {
            Self::Percent(percent) => percent == 0.0,
            Self::Time(time) => time == Nanos::ZERO,
        }
    }
}

impl fmt::Display for ShiftLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figure = match self.figure {
            Limited::Quantile(figure) => figure.name(),
            Limited::Maximum => MAXIMUM,
        };
        write!(f, "{figure}{}", if self.later { '>' } else { '<' })?;
        match self.limit {
            Limit::Percent(percent) => write!(f, "{percent:+}%"),
            Limit::Time(time) => write!(f, "{}{time}", if time > Nanos::ZERO { "+" } else { "" }),
        }
    }
}

impl ShiftLimit {
    /// Returns the cells that fail the check, and those that remain undecided: a difference fails if its whole interval is
    /// beyond the limit, and passes if none of it is.
    pub fn judge(&self, comparison: &Comparison) -> Vec<CheckResult> {
        let cells = &comparison.0.cells;
        if cells.is_empty() {
            return vec![CheckResult::Undecided("no cell is on both sides".to_owned())];
        }
        cells
            .iter()
            .filter_map(|cell| {
                let method = &cell.a.method;
                let Limited::Quantile(figure) = self.figure else {
                    return self.judge_maximum(method, cell.max.as_ref());
                };
                match cell.shifts.iter().find(|shift| shift.figure == figure) {
                    None => {
                        let missing = cell.missing.iter().find(|missing| missing.figure == figure);
                        let none = || {
                            let needed = report::compare::needed(figure);
                            format!("{} needs {needed} sleeps in each recording", figure.name())
                        };
                        let why = missing.map_or_else(none, report::compare::why_uncompared);
                        Some(CheckResult::Undecided(format!("{method}: {why}")))
                    }
                    Some(shift) => self.judge_shift(method, shift, cells.len()),
                }
            })
            .collect()
    }

    /// Returns the lowest and the highest limit of the difference, in ns: it may be a share of side A's figure, of which
    /// only bounds may be known.
    fn limits(&self, a: [Nanos; 2]) -> (f64, f64) {
        let [one, other] = a.map(|a| match self.limit {
            Limit::Time(time) => time.as_f64(),
            Limit::Percent(percent) => a.as_f64() * percent / 100.0,
        });
        (one.min(other), one.max(other))
    }

    fn judge_shift(&self, name: &str, shift: &QuantileShift, cells: usize) -> Option<CheckResult> {
        let of_a = shift.bounds.and_then(|bounds| Some([bounds.a.low?, bounds.a.high?]));
        let (lowest, highest) = self.limits(of_a.unwrap_or([shift.a_ns; 2]));
        let figure = shift.figure.name();
        let size = report::compare::size(shift);
        match shift.verdict {
            ShiftVerdict::Open => {
                let paired = shift.error == ErrorSource::Pairs;
                Some(CheckResult::Undecided(format!(
                    "{name}: {figure} {size}, from too few recordings to tell{}; give {} {}, or measure with --run",
                    if cells > 1 { format!(" among {cells} rows") } else { String::new() },
                    report::compare::enough(cells, paired),
                    if paired { "pairs" } else { "a side" },
                )))
            }
            verdict => {
                let (low, high) = (shift.low_ns, shift.high_ns);
                let (beyond, within) =
                    if self.later { (low > highest, high <= lowest) } else { (high < lowest, low >= highest) };
                let seen = verdict != ShiftVerdict::NotSeen;
                match (beyond && seen, within) {
                    (true, _) => Some(CheckResult::Failed(format!("{name}: {figure} {size}, beyond {self}"))),
                    (_, true) => None,
                    _ => Some(CheckResult::Undecided(format!(
                        "{name}: {figure} {size}, between {} and {}, which {self} is too; more recordings a side narrow that",
                        Nanos::from_f64(low),
                        Nanos::from_f64(high),
                    ))),
                }
            }
        }
    }

    /// Judges by the values alone: nothing tells how far a maximum differs from run to run.
    fn judge_maximum(&self, name: &str, max: Option<&ComparedMaximum>) -> Option<CheckResult> {
        let known = max.and_then(|max| {
            let (low, high) = max.difference();
            Some((max, low?.as_f64(), high?.as_f64(), self.limits([max.a.low?, max.a.high?])))
        });
        let Some((max, low, high, (lowest, highest))) = known else {
            return Some(CheckResult::Undecided(format!("{name}: the files do not tell the largest value")));
        };
        let (fails, passes) =
            if self.later { (low > highest, high <= lowest) } else { (high < lowest, low >= highest) };
        if passes {
            return None;
        }
        let size = report::compare::size_of_maximum(max);
        Some(if fails {
            let text = format!(
                "{name}: max {size}, beyond {self} by the values alone; the largest of one run says little about the next run's"
            );
            CheckResult::Failed(text)
        } else {
            CheckResult::Undecided(format!("{name}: max {size}: the files do not tell it exactly"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::document::Bounds;

    /// A maximum fails by its value alone; bounds decide where both ends are on one side of the limit.
    #[test]
    fn a_maximum_is_judged_by_its_value_or_by_its_bounds() {
        let us = |us: i64| Some(Nanos::from_micros(us));
        let exact = |value| Bounds { low: us(value), high: us(value) };
        let judged = |check: &str, max: ComparedMaximum| {
            let limit: ShiftLimit = check.parse().unwrap();
            limit.judge_maximum("x", Some(&max))
        };
        let max = ComparedMaximum { a: exact(100), b: exact(120) };
        assert_eq!(judged("max>+20%", max), None);
        let said = "x: max +20.0 µs, beyond max>+19% by the values alone; the largest of one run says little about the next run's";
        assert_eq!(judged("max>+19%", max), Some(CheckResult::Failed(said.to_owned())));
        assert_eq!(judged("max<-5%", max), None);
        assert!(matches!(judged("max<+30us", max), Some(CheckResult::Failed(_))));
        let max = ComparedMaximum { a: Bounds { low: us(10), high: us(11) }, b: Bounds { low: us(12), high: us(13) } };
        assert_eq!(judged("max>+3us", max), None);
        assert!(matches!(judged("max>+900ns", max), Some(CheckResult::Failed(_))));
        let said = "x: max +1.00 µs to +3.00 µs: the files do not tell it exactly";
        assert_eq!(judged("max>+2us", max), Some(CheckResult::Undecided(said.to_owned())));
        assert!(matches!(
            "max>+1us".parse::<ShiftLimit>().unwrap().judge_maximum("x", None),
            Some(CheckResult::Undecided(_))
        ));
    }

    /// A difference whose interval is on both sides of the limit neither fails nor passes.
    #[test]
    fn a_difference_is_judged_by_its_whole_interval() {
        let judged = |check: &str, verdict, [low, high]: [f64; 2]| {
            let shift = QuantileShift {
                figure: ComparedFigure::P99,
                a_ns: Nanos::from_micros(100),
                b_ns: Nanos::from_micros(135),
                size_ns: 35e3,
                bounds: None,
                low_ns: low,
                high_ns: high,
                confidence: 0.95,
                error: ErrorSource::BetweenRuns,
                p: None,
                p_corrected: None,
                between_a_ns: None,
                between_b_ns: None,
                verdict,
            };
            check.parse::<ShiftLimit>().unwrap().judge_shift("x", &shift, 1)
        };
        let wide = judged("p99>+10%", ShiftVerdict::NotSeen, [-504e3, 236e3]);
        assert!(matches!(wide, Some(CheckResult::Undecided(_))), "{wide:?}");
        assert_eq!(judged("p99>+10%", ShiftVerdict::NotSeen, [-4e3, 9e3]), None);
        assert!(matches!(judged("p99>+10%", ShiftVerdict::Later, [9e3, 40e3]), Some(CheckResult::Undecided(_))));
        assert!(matches!(judged("p99>+10%", ShiftVerdict::Later, [11e3, 40e3]), Some(CheckResult::Failed(_))));
    }

    #[test]
    fn limits_are_read() {
        let read = |text: &str| text.parse::<ShiftLimit>();
        let limit =
            ShiftLimit { figure: Limited::Quantile(ComparedFigure::P99), later: true, limit: Limit::Percent(10.0) };
        assert_eq!(read("p99 > +10%"), Ok(limit));
        assert_eq!(read("p50>+2us").unwrap().limit, Limit::Time(Nanos::from_micros(2)));
        assert_eq!(read("p50>0").unwrap().limit, Limit::Time(Nanos::ZERO));
        assert_eq!(read("p99.9<-5 %").unwrap().limit, Limit::Percent(-5.0));
        assert_eq!(read("max>+10%").unwrap().figure, Limited::Maximum);
        for wrong in ["p98>+1%", "p50", "p50>fast", "p50>+NaN%", "p50>%"] {
            assert!(read(wrong).is_err_and(|text| text.contains("p99>+10%")), "{wrong}");
        }
        for (unsigned, signed) in [("p50>100us", "write p50>+100us ("), ("max < 10%", "write max<+10% (")] {
            assert!(read(unsigned).is_err_and(|text| text.contains(signed)), "{unsigned}");
        }
        let shown = ["p99>+10%", "p50<-2us", "p50<−2us", "max>0"].map(|text| read(text).unwrap().to_string());
        assert_eq!(shown, ["p99>+10%", "p50<-2.00 µs", "p50<-2.00 µs", "max>0 ns"]);
    }
}
