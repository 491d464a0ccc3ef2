//! Whole reports on comparisons that are made up.

mod schedules;

use super::*;
use oversleep_recording::document::{
    Bounds, ComparedFigure, ComparedMaximum, ComparedRun, ErrorSource, FactDifference, QuantileShift, ShiftBounds,
    ShiftVerdict, StatedFacts, UncomparedFigure,
};
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
        paired_by: PairedBy::Same,
        n_a: 400,
        n_b: 400,
        b_later_share: Some(0.6),
        shifts: vec![shift],
        missing: Vec::new(),
        periods: None,
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
        stated: [StatedFacts::Machine; 2],
        unstated: [Vec::new(), Vec::new()],
        took: None,
        cells: vec![cell],
        only_a: Vec::new(),
        only_b: Vec::new(),
        without_traced: false,
        control: None,
    }
}

#[test]
fn a_difference_is_said_with_what_runs_differ_by() {
    let expected = "\
B is later at p50 by 2.00 µs.
A: a.arrows
B: b.arrows

what differs  A       B
release       6.12.1  6.18.44

nanosleep 1.00 ms · 400 and 400 sleeps
           A        B     shift              interval    of A  runs differ by
p50  50.0 µs  52.0 µs  +2.00 µs  +1.50 µs to +2.50 µs  +4.0 %          400 ns

shift: how much later B is, the median over pairs of recordings, which need not be B − A of the columns; in brackets where it may be chance; oversleep = actual − requested, signed; quantiles by nearest rank
";
    assert_eq!(text(&compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns)), Screen::PLAIN), expected);
}

#[test]
fn one_recording_a_side_is_undecided() {
    let shown = text(&compared(shift(ShiftVerdict::Open, ErrorSource::WithinRuns)), Screen::PLAIN);
    let sentence =
        "Undecided: B looks later at p50 by 2.00 µs, known to ±1.0 % of A from their own sleeps.\nUndecided, because ";
    assert!(shown.starts_with(sentence), "{shown}");
    let reason = "\nUndecided, because how much two equal runs differ is not known. To decide, give 4 recordings a side, or measure \
                  both in turns: oversleep compare --run.\n";
    assert!(shown.contains(reason), "{shown}");
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
    made.stated = [StatedFacts::Nothing, StatedFacts::Machine];
    let cell = &mut made.cells[0];
    for name in [&mut cell.a, &mut cell.b] {
        name.method = "cyclictest thread 0".to_owned();
        name.pattern = Pattern::fixed(Nanos::ZERO);
        name.quantity = Some(oversleep_recording::Quantity::Oversleep);
    }
    made.cells[0].max = Some(ComparedMaximum { a: us(70, 70), b: us(77, 77) });
    let expected = "\
Undecided: B looks later at p50 by 1.00 µs to 3.00 µs.
Undecided, because how much two equal runs differ is not known. To decide, give 4 files a side.
A: a.arrows
B: b.arrows

The machines are not compared: side A does not say on which machine it was measured.

cyclictest thread 0 · oversleep · 400 and 400 values
                   A                B                   shift  interval     of A  runs differ by
p50  50.0 to 51.0 µs  52.0 to 53.0 µs  (+1.00 µs to +3.00 µs)   unknown        –         unknown
max          70.0 µs          77.0 µs              (+7.00 µs)      none  +10.0 %      not tested

shift: how much later B is; in brackets where it may be chance; oversleep = actual − requested, signed; quantiles by nearest rank
max: the largest value of each side; it has no interval and is not tested, because one sleep decides it: the largest of one run says little about the next run's
";
    assert_eq!(text(&made, Screen::PLAIN), expected);
    let narrow = text(&made, Screen { width: 70, colour: false });
    assert!(narrow.lines().all(|line| line.chars().count() <= 70), "{narrow}");
    made.cells[0].shifts[0].low_ns = -1_000.0;
    assert!(
        text(&made, Screen::PLAIN)
            .contains("Undecided: the bounds of p50 overlap, so these two files may not differ at all.")
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
    let shift_of = |size_ns, low_ns, high_ns| QuantileShift {
        size_ns,
        low_ns,
        high_ns,
        confidence: 0.5,
        ..shift(ShiftVerdict::Open, ErrorSource::Pairs)
    };
    let mut control = few.cells.clone();
    control[0].shifts = vec![shift_of(500.0, 400.0, 600.0)];
    few.control = Some(control.clone());
    let shown = text(&few, Screen::PLAIN);
    let held = "check: runs of A compared with other runs of A at p50: +500 ns (+400 ns to +600 ns); this check is undecided: its \
                interval has a confidence of only 50 %; 6 blocks A B B A would do (a longer -d of compare, before --run)\n";
    assert!(shown.contains(held) && !shown.contains("WARNING"), "{shown}");
    control[0].shifts = vec![shift_of(9_000.0, 8_000.0, 9_500.0)];
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
    let (nothing, machine, simulated) = (StatedFacts::Nothing, StatedFacts::Machine, StatedFacts::Simulated);
    for (stated, expected) in [
        ([nothing, nothing], "Neither side says on which machine it was measured, so the machines are not compared."),
        ([machine, nothing], "The machines are not compared: side B does not say on which machine it was measured."),
        ([machine, simulated], "The machines are not compared: side B is simulated."),
        ([simulated, simulated], "The simulated machines' facts are the same."),
    ] {
        made.stated = stated;
        assert!(shown(&made).contains(&format!("{expected}\n\n")), "{}", shown(&made));
    }
}

#[test]
fn conditions_that_a_side_leaves_out_are_said_once() {
    let mut made = compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns));
    made.cells.push(made.cells[0].clone());
    assert!(!text(&made, Screen::PLAIN).contains("does not"));
    made.unstated = [vec![], vec!["policy", "slack"]];
    for (stated, expected) in [
        (StatedFacts::Nothing, "A … | B …: B does not state policy and slack; otherwise they are the same\n"),
        (StatedFacts::Machine, "A … | B …: B does not ask for policy and slack; otherwise they are the same\n"),
    ] {
        made.stated = [StatedFacts::Machine, stated];
        assert_eq!(text(&made, Screen::PLAIN).matches(expected).count(), 1, "{}", text(&made, Screen::PLAIN));
    }
    made.unstated = [vec!["niceness"], vec!["load", "policy", "slack"]];
    let both = ": A does not ask for niceness, and B does not ask for load, policy and slack; otherwise";
    assert!(text(&made, Screen::PLAIN).contains(both), "{}", text(&made, Screen::PLAIN));
    assert!(markdown(&made).contains(both));
}

/// Returns a comparison with a row for each of these shifts of p50, of requests of 1 ms, 2 ms and so on.
fn rows_of(shifts: &[(ShiftVerdict, f64)]) -> Compared {
    let mut made = compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns));
    let row = |(at, (verdict, size_ns)): (i64, &(ShiftVerdict, f64))| {
        let mut cell = made.cells[0].clone();
        for name in [&mut cell.a, &mut cell.b] {
            name.pattern = Pattern::fixed(Nanos::MILLISECOND * at);
        }
        let [low_ns, high_ns] = [size_ns - 500.0, size_ns + 500.0];
        cell.shifts[0] =
            QuantileShift { verdict: *verdict, size_ns: *size_ns, low_ns, high_ns, ..cell.shifts[0].clone() };
        cell
    };
    made.cells = (1..).zip(shifts).map(row).collect();
    made
}

#[test]
fn several_rows_are_told_in_one_sentence_first() {
    use ShiftVerdict::{Earlier, Later, NotSeen, Open};
    for (shifts, expected) in [
        (
            &[(NotSeen, 10.0), (Later, 3_900.0), (NotSeen, -9_000.0)][..],
            "B is later: p50 of nanosleep 2.00 ms by 3.90 µs (3.40 µs to 4.40 µs); 2 of 3 rows do not differ.",
        ),
        (
            &[(Earlier, -6_000.0), (Later, 3_900.0), (Earlier, -5_000.0), (Open, 10.0)],
            "B is earlier in 2 of 4 rows, most at p50 of nanosleep 1.00 ms by 6.00 µs (5.50 µs to 6.50 µs); later in 1; 1 of 4 rows is \
             undecided.",
        ),
        (
            &[(NotSeen, 10.0), (NotSeen, 20.0)],
            "No difference seen in all 2 rows, where one above 520 ns would have been.",
        ),
        (
            &[(NotSeen, 10.0), (Open, 20.0)],
            "No difference seen in 1 of 2 rows, where one above 510 ns would have been; 1 of 2 rows is undecided.",
        ),
        (
            &[(Open, 10.0), (Open, -20_000.0)],
            "Undecided in all 2 rows: B looks earlier at p50 by 20.0 µs, most of all rows in nanosleep 2.00 ms.",
        ),
    ] {
        let made = rows_of(shifts);
        assert_eq!(text(&made, Screen::PLAIN).lines().next(), Some(expected));
        assert!(markdown(&made).starts_with(&format!("**{expected}**\n\n")));
    }
}

#[test]
fn a_side_recorded_wholly_before_the_other_is_said() {
    let mut made = rows_of(&[(ShiftVerdict::Later, 3_900.0), (ShiftVerdict::NotSeen, 10.0)]);
    let mut first = |a: &[Option<&str>], b: &[Option<&str>]| {
        let runs = |times: &[Option<&str>]| -> Vec<ComparedRun> {
            let run = |time: Option<&str>| ComparedRun { name: "x".to_owned(), started: time.map(str::to_owned) };
            times.iter().copied().map(run).collect()
        };
        (made.a, made.b) = (runs(a), runs(b));
        let shown = text(&made, Screen::PLAIN);
        let line = shown.lines().nth(1).unwrap_or_default();
        line.strip_prefix("WARNING: every recording of ").map(|rest| rest[..1].to_owned())
    };
    let [one, two, three, four] = ["08:00:00Z", "08:01:00Z", "08:02:00Z", "08:03:00Z"].map(Some);
    assert_eq!(first(&[one, two], &[three, four]).as_deref(), Some("A"));
    assert_eq!(first(&[three, four], &[one, two]).as_deref(), Some("B"));
    assert_eq!((first(&[one, four], &[two, three]), first(&[one, three], &[two, four])), (None, None));
    // One recording a side has no other order, and an unknown one is not guessed.
    assert_eq!((first(&[one], &[two]), first(&[one, None], &[three, four])), (None, None));
}

/// Lists of facts are JSON, which has no spaces at which a line could be broken.
#[test]
fn lists_of_facts_are_words_that_fit() {
    let mut made = compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns));
    let states = |ns: u32| {
        format!(
            r#"[{{"disabled":false,"latency_ns":{ns},"name":"C1"}},{{"disabled":true,"latency_ns":{ns},"name":"C6"}}]"#
        )
    };
    made.differences =
        vec![FactDifference { fact: "/idle/states".to_owned(), a: vec![states(2_000)], b: vec![states(3_000)] }];
    let wide = text(&made, Screen::PLAIN);
    assert!(
        wide.contains("disabled false, latency ns 2000, name C1; disabled true, latency ns 2000, name C6"),
        "{wide}"
    );
    let narrow = text(&made, Screen { width: 80, colour: false });
    assert!(narrow.lines().all(|line| line.chars().count() <= 80), "{narrow}");
}

#[test]
fn the_number_of_recordings_that_decide_is_that_of_all_rows() {
    let mut made = compared(shift(ShiftVerdict::Open, ErrorSource::WithinRuns));
    made.cells.push(made.cells[0].clone());
    made.cells[0].shifts[0].size_ns = 0.0;
    let shown = text(&made, Screen::PLAIN);
    assert!(shown.contains("To decide, give 5 recordings a side (for 2 rows compared at once), or measure"), "{shown}");
    assert_eq!(shown.matches("\nUndecided, because").count(), 1, "{shown}");
    let alone = Compared { cells: made.cells[..1].to_vec(), ..made.clone() };
    assert!(text(&alone, Screen::PLAIN).starts_with("Undecided: no difference at p50, known to"));
    // More runs of the same simulation are the same run.
    made.stated = [StatedFacts::Machine, StatedFacts::Simulated];
    let shown = text(&made, Screen::PLAIN);
    assert!(
        shown.contains("at once), simulated ones each with another --seed.") && !shown.contains("--run"),
        "{shown}"
    );
    made.cells.iter_mut().for_each(|cell| cell.shifts = vec![shift(ShiftVerdict::Open, ErrorSource::BetweenRuns)]);
    let few = "\nUndecided, because there are too few recordings to confirm a difference. To decide, give 5 recordings a side (for 2 rows compared \
               at once).\n";
    assert_eq!(text(&made, Screen::PLAIN).matches(few).count(), 1);
}

#[test]
fn a_quantile_that_is_not_compared_has_a_row_and_a_reason() {
    let mut made = compared(shift(ShiftVerdict::Open, ErrorSource::WithinRuns));
    let us = |us| Some(Nanos::from_micros(us));
    let missing = UncomparedFigure { figure: ComparedFigure::P99, a_ns: us(80), b_ns: us(90) };
    made.cells[0].missing = vec![missing];
    let shown = text(&made, Screen::PLAIN);
    assert!(shown.contains("p99  80.0 µs  90.0 µs  (+10.0 µs)"), "{shown}");
    assert!(shown.contains("\np99 is not compared: too few sleeps end later than it for an interval"), "{shown}");
    made.cells[0].missing = vec![UncomparedFigure { b_ns: None, ..missing }];
    let shown = text(&made, Screen::PLAIN);
    assert!(
        shown.contains("p99 is not compared: not every recording of side B has the 299 sleeps that it needs.\n"),
        "{shown}"
    );
    made.cells[0].missing.clear();
    assert!(!text(&made, Screen::PLAIN).contains("p99"));
    made.cells[0].n_b = 298;
    let shown = text(&made, Screen::PLAIN);
    assert!(shown.contains("\np99 is not compared: it needs 299 sleeps in each recording.\n"), "{shown}");
}

#[test]
fn a_shift_that_the_columns_contradict_is_marked_and_explained() {
    let text_of = |a: i64, b: i64, size_ns| {
        let (a_ns, b_ns) = (Nanos::from_micros(a), Nanos::from_micros(b));
        let shift = QuantileShift { a_ns, b_ns, size_ns, ..shift(ShiftVerdict::Open, ErrorSource::Pairs) };
        text(&compared(shift), Screen::PLAIN)
    };
    let shown = text_of(129, 488, -47_100.0);
    assert!(shown.contains("(−47.1 µs*)") && !shown.contains("−36.5 %"), "{shown}");
    let remark = "* p50: B − A of the columns is +359 µs, and the pairs' typical difference −47.1 µs: single recordings lie far from \
                  the others, so neither represents them all.\n";
    assert!(shown.contains(remark), "{shown}");
    assert!(text_of(146, 159, 10_800_000.0).contains("(+10.8 ms*)"));
    for shown in [text_of(50, 52, 1_500.0), text_of(50, 50, -20.0), text_of(500, 501, 600.0)] {
        assert!(!shown.contains('*'), "{shown}");
    }
}

#[test]
fn an_undecided_control_says_for_how_long_to_measure() {
    let mut few = compared(shift(ShiftVerdict::NotSeen, ErrorSource::Pairs));
    few.a = vec![few.a[0].clone(); 6];
    few.took = Some(Nanos::from_secs(36));
    let mut control = few.cells.clone();
    control[0].shifts = vec![QuantileShift { confidence: 0.5, ..shift(ShiftVerdict::Open, ErrorSource::Pairs) }];
    few.control = Some(control);
    let shown = text(&few, Screen::PLAIN);
    assert!(shown.contains("50 %; 6 blocks A B B A would do: compare -d 80s, before --run\n"), "{shown}");
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
    for heading in ["nanosleep 16.67 ms   50.0 µs", "nanosleep 16.7 ms    50.0 µs", "only in B: nanosleep 1.00 s\n"] {
        assert!(shown.contains(heading), "{heading}: {shown}");
    }
}

#[test]
fn facts_of_one_machine_alone_are_counted() {
    let mut compared = compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns));
    let of_b = |fact: &str| FactDifference { fact: fact.to_owned(), a: Vec::new(), b: vec!["4".to_owned()] };
    compared.differences.extend(["/one", "/two", "/three"].map(of_b));
    assert!(text(&compared, Screen::PLAIN).contains("three         –       4\n"));
    compared.differences.push(of_b("/four"));
    let shown = text(&compared, Screen::PLAIN);
    let folded = "release       6.12.1  6.18.44\n4 facts of the machine are known only of B; --json has them\n\n";
    assert!(shown.contains(folded), "{shown}");
}

#[test]
fn markdown_has_the_same_figures_and_verdicts() {
    let mut compared = compared(shift(ShiftVerdict::Later, ErrorSource::BetweenRuns));
    compared.a[0].name = "a_1|x.arrows".to_owned();
    let expected = "\
**B is later at p50 by 2.00 µs.**

A: a\\_1\\|x.arrows

B: b.arrows

| what differs | A | B |
| --- | --- | --- |
| release | 6.12.1 | 6.18.44 |

### nanosleep 1.00 ms · 400 and 400 sleeps

|  | A | B | shift | interval | of A | runs differ by |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| p50 | 50.0 µs | 52.0 µs | +2.00 µs | +1.50 µs to +2.50 µs | +4.0 % | 400 ns |

shift: how much later B is, the median over pairs of recordings, which need not be B − A of the columns; in brackets where it may be chance; oversleep = actual − requested, signed; quantiles by nearest rank
";
    assert_eq!(markdown(&compared), expected);
    compared.cells = vec![compared.cells[0].clone(); 41];
    assert!(markdown(&compared).contains("\n\n… and 1 more.\n\nshift: "), "{}", markdown(&compared));
}
