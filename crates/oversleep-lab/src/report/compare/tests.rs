//! Whole reports on comparisons that are made up.

use super::*;
use oversleep_recording::document::{ComparedFigure, ComparedRun};
use oversleep_recording::plan::Conditions;

fn shift(verdict: ShiftVerdict, error: ErrorSource) -> QuantileShift {
    let runs = error != ErrorSource::WithinRuns;
    QuantileShift {
        figure: ComparedFigure::P50,
        a_ns: Nanos::from_micros(50),
        b_ns: Nanos::from_micros(52),
        size_ns: 2_000.0,
        low_ns: 1_500.0,
        high_ns: 2_500.0,
        confidence: 0.97,
        error,
        p: runs.then_some(0.01),
        p_corrected: runs.then_some(0.01),
        between_a_ns: runs.then_some(300.0),
        between_b_ns: runs.then_some(400.0),
        verdict,
    }
}

fn compared(shift: QuantileShift) -> Compared {
    let name = ComparedName {
        method: "nanosleep".to_owned(),
        pattern: Pattern::fixed(Nanos::MILLISECOND),
        conditions: Conditions::default(),
    };
    let run = |name: &str| ComparedRun { name: name.to_owned(), started: None };
    let cell =
        ComparedCell { a: name.clone(), b: name, n_a: 400, n_b: 400, b_later_share: Some(0.6), shifts: vec![shift] };
    Compared {
        format: 1,
        tool: "oversleep 0".to_owned(),
        a: vec![run("a.arrows")],
        b: vec![run("b.arrows")],
        paired: false,
        differences: vec![FactDifference {
            fact: "/release".to_owned(),
            a: vec!["6.12.1".to_owned()],
            b: vec!["6.18.44".to_owned()],
        }],
        cells: vec![cell],
        only_a: Vec::new(),
        only_b: Vec::new(),
        control: None,
    }
}

#[test]
fn a_difference_is_said_with_what_runs_differ_by() {
    let expected = "\
A: a.arrows
B: b.arrows

what differs  A       B
release       6.12.1  6.18.44

nanosleep 1.00 ms · 400 and 400 sleeps
           A        B     shift              interval    of A  runs differ by
p50  50.0 µs  52.0 µs  +2.00 µs  +1.50 µs to +2.50 µs  +4.0 %          400 ns
B is later at p50 by 2.00 µs, beyond what recordings of one side differ by.

shift: how much later B is, the median over pairs of recordings, which is not the difference of the medians A and B; oversleep = actual − requested, signed; quantiles by nearest rank
";
    assert_eq!(report(&compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns)), Screen::PLAIN), expected);
}

#[test]
fn one_recording_a_side_is_undecided() {
    let text = report(&compared(shift(ShiftVerdict::Open, ErrorSource::WithinRuns)), Screen::PLAIN);
    let sentence = "Undecided: these two recordings differ at p50 by 2.00 µs; the error between runs is unknown, 1.0 % within. \
                    To decide, give four recordings a side, or measure both in turns: oversleep compare --run.\n";
    assert!(text.contains(sentence), "{text}");
    assert!(text.contains("(+2.00 µs)  +1.50 µs to +2.50 µs  +4.0 %         unknown\n"), "{text}");
}

#[test]
fn a_control_that_fails_is_a_warning() {
    let mut failing = compared(shift(ShiftVerdict::Later, ErrorSource::Pairs));
    failing.control = Some(failing.cells.clone());
    let text = report(&failing, Screen::PLAIN);
    assert!(text.contains("WARNING: A differs from itself by +2.00 µs at p50"), "{text}");
}
