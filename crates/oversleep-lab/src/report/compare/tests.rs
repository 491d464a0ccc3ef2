//! Whole reports on comparisons that are made up.

use super::*;
use oversleep_recording::document::{Bounds, ComparedFigure, ComparedRun, ShiftBounds};
use oversleep_recording::plan::Conditions;

fn shift(verdict: ShiftVerdict, error: ErrorSource) -> QuantileShift {
    let runs = matches!(error, ErrorSource::BetweenRuns | ErrorSource::Pairs);
    QuantileShift {
        figure: ComparedFigure::P50,
        a_ns: Nanos::from_micros(50),
        b_ns: Nanos::from_micros(52),
        size_ns: 2_000.0,
        bounds: None,
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
        quantity: None,
    };
    let run = |name: &str| ComparedRun { name: name.to_owned(), started: None };
    let cell = ComparedCell {
        a: name.clone(),
        b: name,
        n_a: 400,
        n_b: 400,
        b_later_share: Some(0.6),
        shifts: vec![shift],
        max: None,
    };
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
        stated: [true, true],
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

shift: how much later B is, the median over pairs of recordings, which is not the difference of the medians A and B; in brackets where it may be chance; oversleep = actual − requested, signed; quantiles by nearest rank
";
    assert_eq!(text(&compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns)), Screen::PLAIN), expected);
}

#[test]
fn one_recording_a_side_is_undecided() {
    let shown = text(&compared(shift(ShiftVerdict::Open, ErrorSource::WithinRuns)), Screen::PLAIN);
    let sentence = "Undecided: these two recordings differ at p50 by 2.00 µs; the error between runs is unknown, 1.0 % within. \
                    To decide, give four recordings a side, or measure both in turns: oversleep compare --run.\n";
    assert!(shown.contains(sentence), "{shown}");
    assert!(shown.contains("(+2.00 µs)  +1.50 µs to +2.50 µs  +4.0 %         unknown\n"), "{shown}");
}

#[test]
fn counts_are_shown_with_their_bounds_and_the_largest_without_a_test() {
    let us = |low: i64, high: i64| Bounds { low: Some(Nanos::from_micros(low)), high: Some(Nanos::from_micros(high)) };
    let bounds = ShiftBounds { a: us(50, 51), b: us(52, 53), low_ns: 1_000.0, high_ns: 3_000.0 };
    let mut made = compared(QuantileShift {
        bounds: Some(bounds),
        low_ns: 1_000.0,
        high_ns: 3_000.0,
        ..shift(ShiftVerdict::Open, ErrorSource::Buckets)
    });
    made.differences.clear();
    made.stated = [false, true];
    let cell = &mut made.cells[0];
    for name in [&mut cell.a, &mut cell.b] {
        name.method = "cyclictest thread 0".to_owned();
        name.pattern = Pattern::fixed(Nanos::ZERO);
        name.quantity = Some(oversleep_recording::Quantity::Oversleep);
    }
    made.cells[0].max = Some(ComparedMaximum { a: us(70, 70), b: us(77, 77) });
    let expected = "\
A: a.arrows
B: b.arrows

Side A states no facts of its machine.

cyclictest thread 0 · oversleep · 400 and 400 values
                      A                   B                   shift  interval     of A  runs differ by
p50  50.0 µs to 51.0 µs  52.0 µs to 53.0 µs  (+1.00 µs to +3.00 µs)   unknown        –         unknown
max             70.0 µs             77.0 µs              (+7.00 µs)      none  +10.0 %      not tested
Undecided: these two files differ at p50 by 1.00 µs to 3.00 µs; the error between runs is unknown. To decide, give four files a side.

shift: how much later B is, the median over pairs of recordings, which is not the difference of the medians A and B; in brackets where it may be chance; oversleep = actual − requested, signed; quantiles by nearest rank
max: the largest value of each side; it has no interval and is not tested, because one sleep decides it: the largest of one run says little about the next run's
";
    assert_eq!(text(&made, Screen::PLAIN), expected);
    let narrow = text(&made, Screen { width: 70, colour: false });
    assert!(narrow.lines().all(|line| line.chars().count() <= 70), "{narrow}");
    made.cells[0].shifts[0].low_ns = -1_000.0;
    assert!(
        text(&made, Screen::PLAIN)
            .contains("Undecided: the bounds of p50 overlap, so these two files may not differ at all;")
    );
}

#[test]
fn a_control_that_fails_is_a_warning() {
    let mut failing = compared(shift(ShiftVerdict::Later, ErrorSource::Pairs));
    failing.control = Some(failing.cells.clone());
    let shown = text(&failing, Screen::PLAIN);
    assert!(shown.contains("WARNING: runs of A differ from other runs of A by +2.00 µs at p50:"), "{shown}");
}

/// A control of too few blocks can never fail, so it says that, and one that moves by more than the verdict rests on weakens it.
#[test]
fn a_control_that_cannot_fail_is_not_shown_as_one_that_held() {
    let mut few = compared(shift(ShiftVerdict::NotSeen, ErrorSource::Pairs));
    let of = |size_ns, low_ns, high_ns| QuantileShift {
        size_ns,
        low_ns,
        high_ns,
        confidence: 0.5,
        ..shift(ShiftVerdict::Open, ErrorSource::Pairs)
    };
    let mut control = few.cells.clone();
    control[0].shifts = vec![of(500.0, 400.0, 600.0)];
    few.control = Some(control.clone());
    let shown = text(&few, Screen::PLAIN);
    let held = "check: runs of A compared with other runs of A at p50: +500 ns (+400 ns to +600 ns); this check is undecided: its \
                interval has a confidence of 50 % only; 6 blocks A B B A would do (a longer -d)\n";
    assert!(shown.contains(held) && !shown.contains("WARNING"), "{shown}");
    control[0].shifts = vec![of(9_000.0, 8_000.0, 9_500.0)];
    few.control = Some(control);
    let shown = text(&few, Screen::PLAIN);
    assert!(shown.contains("WARNING: runs of A differ from other runs of A at p50 by +9.00 µs"), "{shown}");
    assert!(
        shown.contains("more than the difference that the verdict above is about, which is therefore weak; this check"),
        "{shown}"
    );
}

#[test]
fn sides_without_facts_are_not_called_the_same() {
    let mut made = compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns));
    made.differences.clear();
    let shown = |made: &Compared| text(made, Screen::PLAIN);
    assert!(shown(&made).contains("The machines' facts are the same.\n"));
    made.stated = [false, false];
    assert!(shown(&made).contains("Neither side states facts of its machine.\n") && !shown(&made).contains("the same"));
    made.stated = [true, false];
    assert!(shown(&made).contains("Side B states no facts of its machine.\n"));
}

#[test]
fn requests_that_round_alike_are_told_apart() {
    let mut made = compared(shift(ShiftVerdict::NotSeen, ErrorSource::BetweenRuns));
    let mut second = made.cells[0].clone();
    for (cell, us) in [(&mut made.cells[0], 16_670), (&mut second, 16_700)] {
        (cell.a.pattern, cell.b.pattern) =
            (Pattern::fixed(Nanos::from_micros(us)), Pattern::fixed(Nanos::from_micros(us)));
    }
    made.only_b = vec![ComparedName { pattern: Pattern::fixed(Nanos::SECOND), ..second.a.clone() }];
    made.cells.push(second);
    let shown = text(&made, Screen::PLAIN);
    for heading in ["nanosleep 16.67 ms · 400", "nanosleep 16.7 ms · 400", "only in B: nanosleep 1.00 s\n"] {
        assert!(shown.contains(heading), "{heading}: {shown}");
    }
}
