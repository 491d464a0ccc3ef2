use super::counts::{CountLimit, Counted};
use super::figure::{Figure, Series};
use super::*;
use oversleep_recording::document::{Bounds, CorrectedBounds};
use oversleep_recording::plan::{Conditions, Pattern};
use oversleep_recording::{Loss, Quantity};

/// Returns a check of a time.
fn of_time(figure: Figure, series: Series, above: bool, limit: Nanos) -> FailIf {
    FailIf(Check::Figure(FigureCheck { figure, series, above, limit }))
}

/// Returns a check of a count of periods that fails above its limit.
fn of_periods(counted: Counted, limit: CountLimit) -> FailIf {
    FailIf(Check::Count(CountCheck { counted, above: true, limit }))
}

#[test]
fn checks_are_read() {
    let check: FailIf = "p99>100us".parse().unwrap();
    let p99 = |series| of_time(Figure::P99, series, true, Nanos::from_micros(100));
    assert_eq!(check, p99(Series::Raw));
    assert_eq!("corrected  p99 > 100us".parse(), Ok(p99(Series::Corrected)));
    assert_eq!(
        "corrected skipped>0".parse::<FailIf>().unwrap_err(),
        "skipped counts every period already; write skipped>0"
    );
    assert!("raw p99>1us".parse::<FailIf>().is_err());
    let left = |figure| of_time(figure, Series::Left, false, Nanos::from_millis(8));
    assert_eq!("p99 left < 8ms".parse(), Ok(left(Figure::P99)));
    assert_eq!("left<8ms".parse(), Ok(left(Figure::Max)));
    for wrong in ["max left<8ms", "corrected left<8ms", "left p99<8ms", "late left<8ms", "p98 left<8ms"] {
        assert!(wrong.parse::<FailIf>().is_err(), "{wrong}");
    }
    assert_eq!("p99.9 < 1ms".parse(), Ok(of_time(Figure::P999, Series::Raw, false, Nanos::MILLISECOND)));
    assert!("p98>1us".parse::<FailIf>().unwrap_err().contains("p99>100us"));
    for (mistaken, expected) in [
        ("median>1ms", "'median>1ms': the median is p50; write p50>1ms"),
        ("p95>1ms", "'p95>1ms': no row has p95; the quantiles are p50, p90, p99 and p99.9"),
        ("left p99<8ms", "'left p99<8ms': write p99 left<8ms"),
        ("nap p99>1ms", "'nap p99>1ms': a check holds for every row, and names none; write p99>1ms"),
    ] {
        assert_eq!(mistaken.parse::<FailIf>().unwrap_err(), expected);
    }
    assert!("p99>fast".parse::<FailIf>().unwrap_err().contains("not a duration"));
    assert!("p99".parse::<FailIf>().is_err());
}

#[test]
fn counts_and_shares_of_periods_are_read() {
    assert_eq!("skipped>0".parse(), Ok(of_periods(Counted::Skipped, CountLimit::Count(0))));
    assert_eq!("late > 1 %".parse(), Ok(of_periods(Counted::Late, CountLimit::Share(1_000_000_000))));
    assert_eq!("missed>0.05%".parse(), Ok(of_periods(Counted::Missed, CountLimit::Share(50_000_000))));
    for (wrong, expected) in [
        ("late>1ms", "'1ms' is not a number of periods; write late>0 or late>1%"),
        ("late>-1", "'-1' is not a number of periods; write late>0 or late>1%"),
        ("skipped>101%", "'101%' is not a share of periods (0% to 100%); write skipped>0 or skipped>1%"),
        ("late>1e-1%", "'1e-1%' is not a share of periods (0% to 100%); write late>0 or late>1%"),
        ("corrected missed>0", "missed counts every period already; write missed>0"),
        ("over 10ms>1us", "'1us' is not a number of sleeps or stalls; write over 10ms>0 or over 10ms>1%"),
        ("nap late>1%", "'nap late>1%': a check holds for every row, and names none; write late>1%"),
        (
            "left<8ms>1%",
            "'left<8ms>1%': the limit is a time; for the share of the periods with too little left, write --work 8ms --fail-if 'missed>1%'",
        ),
        (
            "p99>1%",
            "'p99>1%': the limit of this figure is a time, such as 100us; late, skipped, missed and over 10ms take a share",
        ),
    ] {
        assert_eq!(wrong.parse::<FailIf>().unwrap_err(), expected);
    }
    for text in [
        "over 10ms>0.1%",
        "over 1.5µs>3",
        "late>0",
        "skipped>0.1%",
        "missed<100%",
        "p99>100µs",
        "p99.9 left<8ms",
        "left<1.5ms",
        "corrected max>1s",
    ] {
        assert_eq!(text.parse::<FailIf>().unwrap().to_string(), text);
    }
}

#[test]
fn what_only_schedules_have_is_known_before_a_run() {
    let read = |text: &str| text.parse::<FailIf>().unwrap();
    assert!("over>0".parse::<FailIf>().unwrap_err().ends_with("write over 10ms>0"));
    for text in ["late>0", "skipped>1%", "missed>0", "left<1ms", "p99 left<1ms", "corrected p99>1ms"] {
        assert!(read(text).needs_schedule(), "{text}");
    }
    assert!(!read("p99>1ms").needs_schedule() && !read("over 1ms>0").needs_schedule());
    assert!(read("missed>1%").needs_work() && !read("late>1%").needs_work());
}

/// Returns the figures of a schedule of 1 ms with these counts of periods, of which `long` left nothing.
fn kept(asked: u64, late: u64, long: u64) -> CellSummary {
    let mut cell = cells().remove(0);
    cell.cell.pattern = Pattern::Periodic { period: Nanos::MILLISECOND };
    cell.periods = Some(oversleep_recording::Periods { asked, fresh: asked - late, late, ..Default::default() });
    cell.values = oversleep_figures::Accumulator::default();
    for n in 0..asked {
        cell.values.add(if n < long { 1_000_000 } else { 0 });
    }
    cell.corrected = Some(oversleep_recording::document::Figures { n: asked, ..Default::default() });
    cell
}

#[test]
fn shares_are_of_all_periods_and_exact() {
    let judged = |cell: &CellSummary, text: &str, work| {
        text.parse::<FailIf>().unwrap().judge(std::iter::once(cell), Known { work, watched: &[] })
    };
    let half = Some(Nanos::from_micros(500));
    let cell = kept(1_000, 10, 0);
    let name = &cell.cell.method;
    assert_eq!(
        passed(&judged(&cell, "late>1%", None)),
        format!("{name}: late 10 of 1000 periods, 1% (0.48% to 1.8%), not > 1%")
    );
    let name = &cell.cell.method;
    let expected = CheckResult::Failed(format!("{name}: late 10 of 1000 periods, 1% (0.48% to 1.8%) > 0.999999%"));
    assert_eq!(judged(&cell, "late>0.999999%", None), [expected]);
    let expected = CheckResult::Failed(format!("{name}: late 10 > 9"));
    assert_eq!(judged(&cell, "late>9", None), [expected]);
    assert_eq!(passed(&judged(&cell, "skipped>0", None)), format!("{name}: skipped 0, not > 0"));
    assert!(passes(&judged(&cell, "skipped>0%", None)) && passes(&judged(&cell, "late<1%", None)));
    let cell = kept(359, 0, 2);
    let expected = CheckResult::Failed(format!("{name}: missed 2 of 359 periods, 0.56% (0.068% to 2%) > 0.5%"));
    assert_eq!(judged(&cell, "missed>0.5%", half), [expected]);
    // 359 periods rule out no share that small.
    let expected = CheckResult::Undecided(format!("{name}: missed >0.6% needs 498 periods to be ruled out; only 359"));
    assert_eq!(judged(&cell, "missed>0.6%", half), [expected]);
    assert!(passes(&judged(&cell, "missed>0.9%", half)));
    assert!(matches!(judged(&kept(60, 0, 0), "missed>1%", half)[..], [CheckResult::Undecided(_)]));
    assert!(matches!(judged(&kept(60, 0, 40), "missed>1%", half)[..], [CheckResult::Failed(_)]));
    let expected = CheckResult::Undecided(format!("{name}: missed needs the time that the work takes (--work)"));
    assert_eq!(judged(&cell, "missed>1%", None), [expected]);
}

#[test]
fn late_sleeps_are_counted_beyond_the_limit_itself() {
    let mut cell = kept(3_000, 0, 2);
    cell.periods = None;
    let judged = |text: &str| text.parse::<FailIf>().unwrap().judge(std::iter::once(&cell), Known::default());
    let name = &cell.cell.method;
    let share = "2 of 3000 sleeps, 0.067% (0.0081% to 0.24%)";
    assert_eq!(passed(&judged("over 999999ns>0.1%")), format!("{name}: over 999.999µs {share}, not > 0.1%"));
    assert_eq!(judged("over 500us>0.05%"), [CheckResult::Failed(format!("{name}: over 500µs {share} > 0.05%"))]);
    assert_eq!(passed(&judged("over 1ms>0")), format!("{name}: over 1ms 0, not > 0"));
    assert!(fails(&judged("over 500us>1")) && passes(&judged("over 500us>2")));
    // Not one sleep was later, and 3 000 of them do not rule out one of a hundred thousand.
    let expected = format!("{name}: over 1ms >0.001% needs 299572 sleeps to be ruled out; only 3000");
    assert_eq!(judged("over 1ms>0.001%"), [CheckResult::Undecided(expected)]);
}

#[test]
fn the_share_of_stalls_is_of_the_time_watched() {
    let mut cell = kept(2, 0, 2);
    let second = Nanos::SECOND;
    let mut account = WatchedCpu {
        cell: cell.cell.id,
        cpu: 1,
        floor: Nanos::ZERO,
        threshold: Nanos::ZERO,
        begun: Nanos::ZERO,
        elapsed: second,
        spun: Nanos::from_millis(998),
        stalled: Nanos::from_millis(2),
        looked: Nanos::ZERO,
        paused: Nanos::ZERO,
        readings: 9,
        stalls: 2,
        unlisted: 0,
        backwards: 0,
    };
    let judged = |cell: &CellSummary, account: &WatchedCpu, text: &str| {
        let known = Known { work: None, watched: std::slice::from_ref(account) };
        text.parse::<FailIf>().unwrap().judge(std::iter::once(cell), known)
    };
    let name = cell.cell.method.clone();
    let expected = format!("{name}: over 500µs 2.00 ms of 1.00 s watched, 0.2% > 0.1%");
    assert_eq!(judged(&cell, &account, "over 500us>0.1%"), [CheckResult::Failed(expected)]);
    assert_eq!(passed(&judged(&cell, &account, "over 500us>3")), format!("{name}: over 500µs 2, not > 3"));
    // None at all is something to say, too.
    cell.values = oversleep_figures::Accumulator::default();
    cell.raw.n = 0;
    let expected = format!("{name}: over 500µs 0 ns of 1.00 s watched, 0%, not > 0.1%");
    assert_eq!(passed(&judged(&cell, &account, "over 500us>0.1%")), expected);
    assert_eq!(judged(&cell, &account, "p99>1ms"), []);
    account.unlisted = 3;
    assert!(is_open(&judged(&cell, &account, "over 500us>0.1%")));
}

#[test]
fn of_the_rows_that_pass_the_nearest_to_the_limit_is_told() {
    let [one, mut other] = [0, 1].map(|_| cells().remove(0));
    other.cell.method = "other".to_owned();
    other.raw.max = Some(Nanos::new(1));
    let check: FailIf = "max>1ms".parse().unwrap();
    let results = check.judge([&one, &other].into_iter(), Known::default());
    let name = &one.cell.method;
    assert_eq!(passed(&results), format!("{name}: max 1 µs, not > 1 ms; of 2 rows this is nearest to the limit"));
    other.raw.max = Some(Nanos::SECOND);
    let results = check.judge([&one, &other].into_iter(), Known::default());
    assert!(matches!(&results[..], [CheckResult::Failed(_), CheckResult::Passed { .. }]), "{results:?}");
}

/// Returns another program's counts of a thread.
fn row() -> DistributionFigures {
    let us = Nanos::from_micros;
    DistributionFigures {
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
    }
}

fn judged(row: &DistributionFigures, text: &str) -> Vec<CheckResult> {
    text.parse::<FailIf>().unwrap().judge_counts(std::iter::once(row))
}

fn passes(results: &[CheckResult]) -> bool {
    matches!(results, [CheckResult::Passed { .. }])
}

/// Returns the text on the only row, which passes.
fn passed(results: &[CheckResult]) -> &str {
    let [CheckResult::Passed { text, .. }] = results else { panic!("{results:?}") };
    text
}

fn fails(results: &[CheckResult]) -> bool {
    matches!(results, [CheckResult::Failed(_)])
}

fn is_open(results: &[CheckResult]) -> bool {
    matches!(results, [CheckResult::Undecided(_)])
}

#[test]
fn counts_of_other_programs_are_decided_where_both_bounds_agree() {
    let judged = |text: &str| judged(&row(), text);
    for passes in ["p50>6us", "p50<5us", "max>40us", "p99<30us", "min<2us", "mean>8us"] {
        assert!(super::tests::passes(&judged(passes)), "{passes}");
    }
    for text in ["p50>4us", "p50<7us", "max>38us", "p99>20us", "mean<8us"] {
        assert!(fails(&judged(text)), "{text}: {:?}", judged(text));
    }
    for text in ["p50>5500ns", "p99>31us", "p99<31us", "min>1ms", "p90>1us", "skipped>0", "over 1us>0"] {
        assert!(is_open(&judged(text)), "{text}: {:?}", judged(text));
    }
    let expected = CheckResult::Failed("thread 0: max 39.0 to 40.0 µs > 10 µs".to_owned());
    assert_eq!(judged("max>10us"), [expected]);
}

#[test]
fn figures_of_every_period_are_decided_by_their_own_bounds() {
    let us = Nanos::from_micros;
    let p99 = Some(Bounds { low: Some(us(50)), high: Some(us(60)) });
    let corrected = CorrectedBounds { n_low: 1010, n_high: None, p50: None, p90: None, p99, p999: None };
    let skipping = DistributionFigures { corrected: Some(corrected), ..row() };
    assert_eq!(
        passed(&judged(&skipping, "corrected p99>60us")),
        "thread 0: corrected p99 50.0 to 60.0 µs, not > 60 µs"
    );
    let expected = CheckResult::Failed("thread 0: corrected p99 50.0 to 60.0 µs > 40 µs".to_owned());
    assert_eq!(judged(&skipping, "corrected p99>40us"), [expected]);
    assert!(fails(&judged(&skipping, "corrected max>38us")));
    for text in ["corrected p99>55us", "corrected p90>1us", "corrected min<1us", "corrected mean>1us"] {
        assert!(is_open(&judged(&skipping, text)), "{text}");
    }
    // A file that lacks no periods has one series; one that lacks them and does not bound them has none.
    assert!(fails(&judged(&row(), "corrected p50>4us")));
    // What is left of a period of 100 µs is 40 to 50 µs of it in 99 % of the periods, 60.001 to 61 µs at the least.
    let periodic = DistributionFigures { requested_ns: Some(us(100)), ..skipping.clone() };
    assert!(passes(&judged(&periodic, "p99 left<40us")) && passes(&judged(&periodic, "left<60us")));
    assert!(fails(&judged(&periodic, "p99 left<51us")) && fails(&judged(&periodic, "left<62us")));
    assert!(is_open(&judged(&periodic, "p99 left<45us")));
    let expected = CheckResult::Undecided("thread 0: p99 left is not in the file".to_owned());
    assert_eq!(judged(&skipping, "p99 left<45us"), [expected]);
    let unbounded = DistributionFigures { lost: vec![Loss::SkippedPeriods], ..row() };
    let expected = CheckResult::Undecided("thread 0: corrected p50 is not in the file".to_owned());
    assert_eq!(judged(&unbounded, "corrected p50>4us"), [expected]);
}

#[test]
fn a_figure_that_rounds_to_the_limit_is_told_with_all_its_digits() {
    let row = DistributionFigures { mean_ns: Some(1_000_400_123.0), ..row() };
    let CheckResult::Failed(text) = &judged(&row, "mean>1s")[0] else { panic!() };
    assert_eq!(text, "thread 0: mean 1.000400123 s > 1 s");
    let close = DistributionFigures {
        p50: Some(Bounds { low: Some(Nanos::new(99_999)), high: Some(Nanos::new(100_003)) }),
        ..row.clone()
    };
    let CheckResult::Undecided(text) = &judged(&close, "p50<100us")[0] else { panic!() };
    assert_eq!(text, "thread 0: p50 99.999 µs to 100.003 µs < 100 µs: the file does not say");
    // Elsewhere they stay as reports show them.
    let CheckResult::Failed(text) = &judged(&row, "p50>1us")[0] else { panic!() };
    assert_eq!(text, "thread 0: p50 5.00 to 6.00 µs > 1 µs");
}

/// Returns the figures of one sleep.
fn cells() -> Vec<CellSummary> {
    let table = "requested_ns,start_ns,end_ns\n1000,0,2000\n";
    let mut source = oversleep_import::open("x", table.as_bytes()).unwrap();
    let mut summariser = oversleep_figures::Summariser::new(source.meta());
    source.read_into(&mut summariser);
    summariser.finish()
}

/// Rows of one method fail by the names that the table gives them.
#[test]
fn a_failed_row_is_named_with_what_sets_it_apart() {
    let check: FailIf = "max>0ns".parse().unwrap();
    let [one, mut other] = [0, 1].map(|_| cells().remove(0));
    let texts = |cells: &[&CellSummary]| -> Vec<String> {
        let failed = |result: CheckResult| match result {
            CheckResult::Failed(text) | CheckResult::Undecided(text) | CheckResult::Passed { text, .. } => {
                text.rsplit_once(": ").unwrap().0.to_owned()
            }
        };
        check.judge(cells.iter().copied(), Known::default()).into_iter().map(failed).collect()
    };
    let name = one.cell.method.clone();
    assert_eq!(texts(&[&one]), [name.as_str()]);
    other.cell.conditions.nice = Some(5);
    assert_eq!(texts(&[&one, &other]), [format!("{name}, default"), format!("{name}, nice 5")]);
    other.cell.pattern = oversleep_recording::plan::Pattern::fixed(Nanos::MILLISECOND);
    assert_eq!(texts(&[&one, &other]), [format!("{name} 1.00 µs, default"), format!("{name} 1.00 ms, nice 5")]);
    assert!("max>=1ms".parse::<FailIf>().unwrap_err().ends_with("a check has no >= and no <=; write max>1ms"));
}

#[test]
fn a_mean_within_a_nanosecond_of_the_limit_is_beyond_it() {
    let check = |text: &str| text.parse::<FailIf>().unwrap();
    let cell = |mean: f64| {
        let mut cell = cells().remove(0);
        cell.raw.mean_ns = Some(mean);
        cell
    };
    assert!(passes(&check("mean>1us").judge(std::iter::once(&cell(1_000.0)), Known::default())));
    assert!(passes(&check("mean<1us").judge(std::iter::once(&cell(1_000.0)), Known::default())));
    let judged = |text: &str, mean: f64| match &check(text).judge(std::iter::once(&cell(mean)), Known::default())[..] {
        [CheckResult::Failed(text)] => text.split_once(": ").unwrap().1.to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(judged("mean>1us", 1_000.4), "mean 1.001 µs > 1 µs");
    assert_eq!(judged("mean<1us", 999.6), "mean 999 ns < 1 µs");
}

#[test]
fn too_few_samples_are_told_with_the_option_that_gets_enough() {
    let schedule = |us| Pattern::Periodic { period: Nanos::from_micros(us) };
    assert_eq!(Figure::P999.option(Pattern::fixed(Nanos::MILLISECOND)), " (-n 2995)");
    assert_eq!([1_000, 1_003].map(|us| Figure::P999.option(schedule(us))), [" (-d 3s)", " (-d 4s)"]);
    assert_eq!(Figure::Max.option(schedule(1_000)), "");
}
