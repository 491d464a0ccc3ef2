//! Checks of differences, judged by their intervals.

use super::Comparison;
use super::limit::{Limit, Limited, ShiftLimit};
use oversleep_recording::document::{
    Compared, ComparedCell, ComparedFigure, ComparedMaximum, ComparedName, ComparedShare, ErrorSource, QuantileShift,
    ShareVerdict, ShiftVerdict,
};
use oversleep_recording::plan::Pattern;
use oversleep_report as report;
use oversleep_report::check::{CheckResult, nearest, periods_needed};
use oversleep_sys::units::Nanos;

/// A difference that is judged by its interval.
struct Difference<'a> {
    /// Row and figure, with the difference and its interval.
    text: String,
    interval: [f64; 2],
    /// The lowest and the highest value that the limit may have.
    limits: [f64; 2],
    /// Whether it is beyond what chance brings about.
    seen: bool,
    /// Formats an end of the interval.
    end: &'a dyn Fn(f64) -> String,
}

impl ShiftLimit {
    /// Returns the cells that fail the check, those that remain undecided, and of those that pass the one nearest to the
    /// limit: a difference fails if its whole interval is beyond the limit, and passes if none of it is.
    pub fn judge(&self, comparison: &Comparison) -> Vec<CheckResult> {
        let compared = &comparison.0;
        if compared.cells.is_empty() {
            return vec![CheckResult::Undecided("no cell is on both sides".to_owned())];
        }
        let judge = |cell: &ComparedCell| match self.figure {
            Limited::Quantile(figure) => self.judge_quantile(figure, cell, compared),
            Limited::Maximum => self.judge_maximum(&cell.a.method, cell.max.as_ref()),
            Limited::Share(share) => self.judge_share(share, cell, compared),
        };
        nearest(compared.cells.iter().map(judge).collect())
    }

    /// Returns the lowest and the highest limit of the difference, in ns: it may be a share of side A's figure, of which
    /// only bounds may be known.
    fn limits(&self, a: [Nanos; 2]) -> [f64; 2] {
        let [one, other] = a.map(|a| match self.limit {
            Limit::Time(time) => time.as_f64(),
            Limit::Percent(percent) => a.as_f64() * percent / 100.0,
        });
        [one.min(other), one.max(other)]
    }

    /// Returns whether a difference of which only these ends are known is beyond the limit, and whether it is within.
    fn compare(&self, [low, high]: [f64; 2], [lowest, highest]: [f64; 2]) -> (bool, bool) {
        if self.above { (low > highest, high <= lowest) } else { (high < lowest, low >= highest) }
    }

    fn judge_quantile(&self, figure: ComparedFigure, cell: &ComparedCell, compared: &Compared) -> CheckResult {
        let method = &cell.a.method;
        let Some(shift) = cell.shifts.iter().find(|shift| shift.figure == figure) else {
            let missing = cell.missing.iter().find(|missing| missing.figure == figure);
            let none =
                || format!("{} needs {} sleeps in each recording", figure.name(), report::compare::needed(figure));
            let why = missing.map_or_else(none, report::compare::why_uncompared);
            return CheckResult::Undecided(format!("{method}: {why}"));
        };
        self.judge_shift(method, shift, compared.cells.len())
    }

    fn judge_shift(&self, name: &str, shift: &QuantileShift, cells: usize) -> CheckResult {
        let of_a = shift.bounds.and_then(|bounds| Some([bounds.a.low?, bounds.a.high?]));
        let text = format!("{name}: {} {}", shift.figure.name(), report::compare::size(shift));
        if shift.verdict == ShiftVerdict::Open {
            return too_few(&text, cells, shift.error == ErrorSource::Pairs);
        }
        self.judge_difference(&Difference {
            text,
            interval: [shift.low_ns, shift.high_ns],
            limits: self.limits(of_a.unwrap_or([shift.a_ns; 2])),
            seen: shift.verdict != ShiftVerdict::NotSeen,
            end: &|ns| Nanos::from_f64(ns).to_string(),
        })
    }

    fn judge_share(&self, share: ComparedShare, cell: &ComparedCell, compared: &Compared) -> CheckResult {
        let (method, name) = (&cell.a.method, share.name());
        let shares = cell.periods.iter().flat_map(|periods| &periods.shares);
        let Some(shift) = shares.into_iter().find(|shift| shift.periods == share) else {
            return CheckResult::Undecided(format!("{method}: {}", without_share(share, cell)));
        };
        let text = format!("{method}: {name} {}", report::compare::size_of_share(shift));
        let known = shift.interval().filter(|_| shift.verdict != ShareVerdict::Open);
        let (Some(interval), Limit::Percent(limit)) = (known, self.limit) else {
            return too_few(&text, compared.cells.len(), compared.paired);
        };
        let seen = shift.verdict != ShareVerdict::NotSeen;
        let end = &report::compare::points;
        match self.judge_difference(&Difference { text, interval, limits: [limit; 2], seen, end }) {
            passed @ CheckResult::Passed { .. } if !seen => self.few_periods(limit, cell).unwrap_or(passed),
            result => result,
        }
    }

    /// Returns that a side has too few periods to rule a share beyond the limit out, although none of its recordings shows one.
    fn few_periods(&self, limit: f64, cell: &ComparedCell) -> Option<CheckResult> {
        let periods = cell.periods.as_ref()?;
        // The side with more of these periods, if the limit were exceeded.
        let (side, of) = if self.above { ("B", periods.b) } else { ("A", periods.a) };
        let beyond = if self.above { limit } else { -limit };
        let needed = periods_needed(beyond / 100.0)?;
        (of.counts.asked < needed).then(|| {
            CheckResult::Undecided(format!(
                "{}: {self} needs {needed} periods of side {side} to be ruled out; only {}",
                cell.a.method, of.counts.asked
            ))
        })
    }

    fn judge_difference(&self, of: &Difference) -> CheckResult {
        let text = &of.text;
        match self.compare(of.interval, of.limits) {
            (true, _) if of.seen => CheckResult::Failed(format!("{text}, beyond {self}")),
            (_, true) => {
                let room = if self.above { of.limits[0] - of.interval[1] } else { of.interval[0] - of.limits[1] };
                CheckResult::Passed { text: format!("{text}, not {self}"), room }
            }
            _ => {
                let [low, high] = of.interval.map(of.end);
                CheckResult::Undecided(format!(
                    "{text}, somewhere between {low} and {high}, so {self} may hold or not; more recordings a side narrow that"
                ))
            }
        }
    }

    /// Judges by the values alone: nothing tells how far a maximum differs from run to run.
    fn judge_maximum(&self, name: &str, max: Option<&ComparedMaximum>) -> CheckResult {
        let known = max.and_then(|max| {
            let (low, high) = max.difference();
            let (ends, limits) = ([low?.as_f64(), high?.as_f64()], self.limits([max.a.low?, max.a.high?]));
            let room = if self.above { limits[0] - ends[1] } else { ends[0] - limits[1] };
            Some((max, self.compare(ends, limits), room))
        });
        let Some((max, (fails, passes), room)) = known else {
            return CheckResult::Undecided(format!("{name}: the files do not tell the largest value"));
        };
        let size = report::compare::size_of_maximum(max);
        if passes {
            return CheckResult::Passed { text: format!("{name}: max {size}, not {self}"), room };
        }
        if fails {
            let text = format!(
                "{name}: max {size}, beyond {self} by the values alone; the largest of one run says little about the next run's"
            );
            CheckResult::Failed(text)
        } else {
            CheckResult::Undecided(format!("{name}: max {size}: the files do not tell it exactly"))
        }
    }
}

/// Returns that a difference is known from too few recordings, and how many would do.
fn too_few(text: &str, cells: usize, paired: bool) -> CheckResult {
    CheckResult::Undecided(format!(
        "{text}, from too few recordings to tell{}; give {} {}, or measure with --run",
        if cells > 1 { format!(" among {cells} rows") } else { String::new() },
        report::compare::enough(cells, paired),
        if paired { "pairs" } else { "a side" },
    ))
}

/// Says why a share of periods is not compared.
fn without_share(share: ComparedShare, cell: &ComparedCell) -> String {
    let name = share.name();
    let keeps = |name: &ComparedName| matches!(name.pattern, Pattern::Periodic { .. });
    let none = match (keeps(&cell.a), keeps(&cell.b)) {
        (true, true) => {
            return format!(
                "{name}: not every recording counts its periods: a run was cut off, or its file is of a program that does not count \
                 them"
            );
        }
        (false, false) => "these recordings keep",
        (false, true) => "side A keeps",
        (true, false) => "side B keeps",
    };
    format!("'{name}' is a share of a schedule's periods; {none} none")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_analysis::compare;
    use oversleep_recording::document::{Bounds, ComparedPeriods, PairedBy, PeriodCounts, PeriodsOfSide, ShareShift};
    use oversleep_recording::plan::Conditions;

    fn passes(result: &CheckResult) -> bool {
        matches!(result, CheckResult::Passed { .. })
    }

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
        assert!(passes(&judged("max>+20%", max)));
        let said = "x: max +20.0 µs, beyond max>+19% by the values alone; the largest of one run says little about the next run's";
        assert_eq!(judged("max>+19%", max), CheckResult::Failed(said.to_owned()));
        assert!(passes(&judged("max<-5%", max)));
        assert!(matches!(judged("max<+30us", max), CheckResult::Failed(_)));
        let max = ComparedMaximum { a: Bounds { low: us(10), high: us(11) }, b: Bounds { low: us(12), high: us(13) } };
        assert!(passes(&judged("max>+3us", max)));
        assert!(matches!(judged("max>+900ns", max), CheckResult::Failed(_)));
        let said = "x: max +1.00 µs to +3.00 µs: the files do not tell it exactly";
        assert_eq!(judged("max>+2us", max), CheckResult::Undecided(said.to_owned()));
        assert!(matches!(
            "max>+1us".parse::<ShiftLimit>().unwrap().judge_maximum("x", None),
            CheckResult::Undecided(_)
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
        assert!(matches!(wide, CheckResult::Undecided(_)), "{wide:?}");
        assert_eq!(
            judged("p99>+10%", ShiftVerdict::NotSeen, [-4e3, 9e3]),
            CheckResult::Passed {
                text: "x: p99 +35.0 µs (−4.00 µs to +9.00 µs), not p99>+10%".to_owned(), room: 1e3
            }
        );
        assert!(matches!(judged("p99>+10%", ShiftVerdict::Later, [9e3, 40e3]), CheckResult::Undecided(_)));
        assert!(matches!(judged("p99>+10%", ShiftVerdict::Later, [11e3, 40e3]), CheckResult::Failed(_)));
    }

    /// Returns a comparison of schedules of 400 periods a side, of which this is the difference of missed ones.
    fn schedules(shift: Option<ShareShift>) -> Comparison {
        let name = ComparedName {
            method: "x".to_owned(),
            pattern: Pattern::Periodic { period: Nanos::from_millis(10) },
            conditions: Conditions::default(),
            quantity: None,
        };
        let counts = PeriodCounts { asked: 400, fresh: 400, late: 0, skipped: 0, early: 0 };
        let side = PeriodsOfSide { counts, left_p99: None, left_least: None, work: None };
        let cell = ComparedCell {
            a: name.clone(),
            b: name,
            paired_by: PairedBy::Same,
            n_a: 400,
            n_b: 400,
            b_later_share: None,
            shifts: Vec::new(),
            missing: Vec::new(),
            periods: Some(ComparedPeriods { a: side, b: side, shares: shift.into_iter().collect() }),
            max: None,
        };
        Comparison(Compared { cells: vec![cell], ..compare::compare(&[], &[], false) })
    }

    fn missed(interval: Option<[f64; 2]>, verdict: ShareVerdict) -> ShareShift {
        ShareShift {
            periods: ComparedShare::Missed,
            a_percent: 1.0,
            b_percent: 3.5,
            size_points: 2.5,
            low_points: interval.map(|[low, _]| low),
            high_points: interval.map(|[_, high]| high),
            confidence: 0.97,
            p: None,
            p_corrected: None,
            between_a_points: None,
            between_b_points: None,
            verdict,
        }
    }

    fn judged(check: &str, comparison: &Comparison) -> CheckResult {
        check.parse::<ShiftLimit>().unwrap().judge(comparison).remove(0)
    }

    #[test]
    fn a_share_of_periods_is_judged_by_its_whole_interval() {
        let of = |interval, verdict| schedules(Some(missed(Some(interval), verdict)));
        let more = of([2.0, 3.0], ShareVerdict::More);
        let said = "x: missed +2.5 points (+2 to +3 points), beyond missed>+1%";
        assert_eq!(judged("missed>+1%", &more), CheckResult::Failed(said.to_owned()));
        assert!(passes(&judged("missed>+3%", &more)));
        let said = "x: missed +2.5 points (+2 to +3 points), somewhere between +2 points and +3 points, so missed>+2.5% may hold or not; more recordings a \
                    side narrow that";
        assert_eq!(judged("missed>+2.5%", &more), CheckResult::Undecided(said.to_owned()));
        assert!(passes(&judged("missed<-1%", &more)));
        let fewer = of([-3.0, -2.0], ShareVerdict::Fewer);
        assert!(matches!(judged("missed<-1%", &fewer), CheckResult::Failed(_)));
        // Not beyond chance, as several rows are compared.
        assert!(matches!(judged("missed>+1%", &of([2.0, 3.0], ShareVerdict::NotSeen)), CheckResult::Undecided(_)));
    }

    #[test]
    fn a_share_from_too_few_recordings_or_periods_is_undecided() {
        let said = "x: missed +2.5 points, from too few recordings to tell; give 4 a side, or measure with --run";
        let single = schedules(Some(missed(None, ShareVerdict::Open)));
        assert_eq!(judged("missed>+1%", &single), CheckResult::Undecided(said.to_owned()));
        // 400 periods without one that is missed do not rule one of a thousand out, and do one of a hundred.
        let none = schedules(Some(missed(Some([0.0, 0.0]), ShareVerdict::NotSeen)));
        let said = "x: missed>+0.1% needs 2995 periods of side B to be ruled out; only 400";
        assert_eq!(judged("missed>+0.1%", &none), CheckResult::Undecided(said.to_owned()));
        assert!(passes(&judged("missed>+1%", &none)) && passes(&judged("missed>0", &none)));
        let said = "x: missed<-0.1% needs 2995 periods of side A to be ruled out; only 400";
        assert_eq!(judged("missed<-0.1%", &none), CheckResult::Undecided(said.to_owned()));
        let fewer = schedules(Some(missed(Some([-3.0, -2.0]), ShareVerdict::Fewer)));
        assert!(passes(&judged("missed>+0.1%", &fewer)));
    }

    #[test]
    fn a_row_without_the_share_is_undecided_and_says_why() {
        let said = |comparison: &Comparison| match judged("late>+1%", comparison) {
            CheckResult::Undecided(said) => said,
            other => panic!("{other:?}"),
        };
        let mut made = schedules(None);
        assert!(said(&made).starts_with("x: late: not every recording counts its periods"), "{}", said(&made));
        made.0.cells[0].periods = None;
        made.0.cells[0].b.pattern = Pattern::fixed(Nanos::MILLISECOND);
        assert_eq!(said(&made), "x: 'late' is a share of a schedule's periods; side B keeps none");
        made.0.cells[0].a.pattern = Pattern::fixed(Nanos::MILLISECOND);
        assert_eq!(said(&made), "x: 'late' is a share of a schedule's periods; these recordings keep none");
    }
}
