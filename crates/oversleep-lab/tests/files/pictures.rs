//! Plots of a recording, from the part of a page that a session makes of it.

use oversleep_lab::report::Screen;
use oversleep_lab::report::html::Selection;
use oversleep_lab::report::picture::{Plot, Subject, svg, text};
use oversleep_lab::session::{PagePart, PageReader};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::{Conditions, Load, LoadKind, Pattern, build};
use oversleep_recording::{Meta, Origin, Sample, Sink};
use oversleep_sys::units::Nanos;

const N: i64 = 400;

/// Returns a recording of `methods` beside each of `loads`, each sleep `late` by what its cell and number give, in µs, and on the
/// processor that `cpu` gives.
fn part(methods: &[MethodId], loads: &[u16], late: fn(i64, i64) -> i64, cpu: fn(i64) -> u16) -> PagePart {
    let rows: Vec<_> = methods.iter().map(|method| method.row()).collect();
    let load = |threads: &u16| Load { threads: *threads, kind: LoadKind::Spin };
    let beside = |threads: &u16| Conditions { load: Some(load(threads)), ..Conditions::default() };
    let conditions: Vec<Conditions> = loads.iter().map(beside).collect();
    let requests = [Pattern::fixed(Nanos::MILLISECOND)];
    let plan = build::measure(&build::Grid { rows: &rows, requests: &requests, conditions: &conditions }, 400, 1);
    let cells = plan.cells.clone();
    let mut reader = PageReader::new(&Meta::new("test", Origin::Live, plan));
    for cell in &cells {
        let sample = |number: i64| {
            let start = Nanos::from_millis(2 * number);
            let end = start + Nanos::MILLISECOND + Nanos::from_micros(late(cell.id.into(), number));
            let (sequence, cpu_end) = (number.cast_unsigned(), cpu(number));
            Sample { cell: cell.id, sequence, requested: Nanos::MILLISECOND, start, end, cpu_end, ..Sample::BLANK }
        };
        reader.samples(&(0..N).map(sample).collect::<Vec<_>>());
    }
    reader.finish("test")
}

/// Returns the rows of a plot as text: name and figures of each.
fn rows(plot: Plot, of: &PagePart) -> Vec<String> {
    let shown = text(plot, &of.subject(), Screen { width: 100, colour: false }).expect("a plot");
    let figures = shown.lines().filter(|line| line.contains("  n "));
    figures
        .map(|line| line.split(|c| "─▒┃•".contains(c)).map(str::trim).filter(|part| !part.is_empty()).collect())
        .collect()
}

#[test]
fn loads_are_rows_from_the_least_to_the_most() {
    let part = part(&[MethodId::Nanosleep], &[2, 0], |cell, number| 50 + 100 * (1 - cell) + number % 10, |_| 0);
    assert_eq!(
        rows(Plot::Load, &part),
        ["no busy threadsn 400, p50 54.0 µs, p99 59.0 µs", "2 busy threadsn 400, p50 154 µs, p99 159 µs"]
    );
    let svg = svg(Plot::Load, &part.subject()).expect("a plot");
    assert!(svg.contains(">2 busy threads</text>") && svg.contains("bar: the middle half"), "{svg}");
    let only = text(Plot::Processors, &part.subject(), Screen::PLAIN).unwrap_err();
    assert_eq!(
        only,
        "every sleep ended on processor 0; `oversleep measure -a 0,1 -t 2 --one-cpu-each` measures two processors"
    );
}

#[test]
fn processors_are_rows_and_methods_are_not_mixed() {
    let alternating = |number: i64| u16::from(number % 2 == 1);
    let late = |cell: i64, number: i64| 10 + 100 * cell + 20 * (number % 2);
    let one = part(&[MethodId::Nanosleep], &[0], late, alternating);
    let expected = ["processor 0n 200, p50 10.0 µs, p99 –", "processor 1n 200, p50 30.0 µs, p99 –"];
    assert_eq!(rows(Plot::Processors, &one), expected);
    let two = part(&[MethodId::Nanosleep, MethodId::Select], &[0], late, alternating);
    let names: Vec<String> =
        rows(Plot::Processors, &two).iter().map(|row| row.split("n 200").next().unwrap().into()).collect();
    assert_eq!(
        names,
        ["nanosleep, processor 0", "nanosleep, processor 1", "select, processor 0", "select, processor 1"]
    );
    let only = text(Plot::Load, &one.subject(), Screen::PLAIN).unwrap_err();
    assert_eq!(
        only,
        "every sleep had the same load (no busy threads); `oversleep measure --load 0,2` measures several"
    );
    let unknown = part(&[MethodId::Nanosleep], &[0], late, |_| Sample::NO_CPU);
    let why = text(Plot::Processors, &unknown.subject(), Screen::PLAIN).unwrap_err();
    assert!(
        why.starts_with("the recording does not say on which processor a sleep ended; `oversleep measure"),
        "{why}"
    );
}

/// The extremes of a long recording are in the row, and do not count towards its quantiles.
#[test]
fn what_is_there_for_being_extreme_moves_no_quantile() {
    let part = part(&[MethodId::Nanosleep], &[0, 1], |_, number| if number < 40 { 900 } else { 50 }, |_| 0);
    let whole = part.subject();
    let is_extra: Vec<bool> = whole.samples.iter().map(|sample| sample.sequence < 40).collect();
    let selection = Selection { is_extra: &is_extra, one_of: 2 };
    let screen = Screen { width: 100, colour: false };
    let shown = text(Plot::Load, &Subject { selection, ..whole }, screen).expect("a plot");
    assert!(shown.contains("n 360, p50 50.0 µs, p99 50.0 µs"), "{shown}");
    assert!(shown.contains("of one of 2 sleeps, and the extremes"), "{shown}");
    assert!(text(Plot::Load, &part.subject(), screen).expect("a plot").contains("p99 900 µs"));
}

#[test]
fn sleeps_that_are_all_early_fill_their_axis() {
    let part = part(&[MethodId::Nanosleep], &[0], |_, number| -900 + 2 * number, |_| 0);
    let svg = svg(Plot::Distribution, &part.subject()).expect("a plot");
    for label in ["−1 ms", "−500 µs", "−200 µs", "−100 µs"] {
        assert!(svg.contains(&format!(">{label}</text>")), "{label}: {svg}");
    }
    for label in ["−2 ms", "−50 µs", "0 ns", "100 µs"] {
        assert!(!svg.contains(&format!(">{label}</text>")), "{label}: {svg}");
    }
}

/// Each method has a colour and a line of its own, with its name in the legend; of many, the latest do.
#[test]
fn methods_have_a_colour_each() {
    use MethodId::{ClockNanosleepAbs, FutexWait, Nanosleep, Poll, Ppoll, Pselect, Select, Timerfd};
    let late = |cell: i64, number: i64| 10 + 10 * cell + number % 5;
    let names = |methods: &[MethodId], loads: &[u16]| {
        let shown = svg(Plot::Distribution, &part(methods, loads, late, |_| 0).subject()).expect("a plot");
        let known = ["3 other methods", "clock-nanosleep-abs", "futex-wait", "nanosleep", "poll", "select"];
        known.into_iter().filter(|name| shown.contains(&format!(">{name}</text>"))).collect::<Vec<_>>()
    };
    assert!(names(&[Nanosleep], &[0]).is_empty());
    assert_eq!(names(&[Nanosleep, Select], &[0]), ["nanosleep", "select"]);
    // Eight cells of two methods.
    assert_eq!(names(&[Nanosleep, Select], &[0, 1, 2, 3]), ["nanosleep", "select"]);
    let many = [Nanosleep, Select, Poll, Ppoll, Pselect, Timerfd, FutexWait, ClockNanosleepAbs];
    assert_eq!(names(&many, &[0]), ["3 other methods", "clock-nanosleep-abs", "futex-wait"]);
    let svg = svg(Plot::Time, &part(&many, &[0], late, |_| 0).subject()).expect("a plot");
    for text in ["3 other methods</text>", "futex-wait</text>", "#d55e00", "#8a8a8a"] {
        assert!(svg.contains(text), "{text}");
    }
}

/// The headline of a diagnosis is about what was asked, and not about one of the changes.
#[test]
fn a_headline_of_several_conditions_has_their_range() {
    let part = part(&[MethodId::Nanosleep], &[0, 1, 2], |cell, _| [50, 900, 10][usize::try_from(cell).unwrap()], |_| 0);
    let headline = &part.subject().recording.headline;
    let expected = "Sleeps of 1 ms end 10.0 µs to 900 µs late at the median in 3 rows; one in a hundred of the worst row ends 900 µs late or later. The latest, nanosleep, 1 busy: 900 µs late";
    assert!(headline.starts_with(expected), "{headline}");
}
