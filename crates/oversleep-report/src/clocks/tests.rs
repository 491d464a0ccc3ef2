//! Reports on surveys with known numbers.

use super::*;
use oversleep_analysis::clocks::document;
use oversleep_recording::file::{Reader, Tail, Writer};
use oversleep_recording::plan::{Kind, Plan};
use oversleep_recording::{
    ClockAcross, ClockCompared, ClockCost, ClockPoint, ClockReadings, ClockSeries, ClockSteps, ClockSurvey, End,
    LoadedClockCost, Meta, Note, Origin, Recording, Sink, Unobtained,
};
use oversleep_sys::units::Hertz;
use serde_json::{Value, json};

fn meta() -> Meta {
    let plan = Plan { kind: Kind::Clocks, cells: Vec::new(), turns: Vec::new(), seed: 0 };
    Meta::new("test", Origin::Live, plan)
}

fn measured(clock: &str, per_call: i64, steps: ClockSteps, across: ClockAcross) -> ClockReadings {
    let cost = |calls: u64| ClockCost { calls, total: Nanos::new(per_call * i64::try_from(calls).unwrap()) };
    ClockReadings {
        clock: clock.to_owned(),
        rate: Hertz::new(1_000_000_000, 1).unwrap(),
        claimed: None,
        costs: vec![cost(1_000), cost(1_000_000), cost(5_000_000)],
        loaded: None,
        steps: Some(steps),
        across: Some(across),
    }
}

/// Returns 100 rounds, 10 ms apart, of a clock that is `ppm` too fast; the noise of its readings alternates by 2 ns.
fn series(clock: &str, ppm: i64) -> ClockSeries {
    let point = |round: i64| ClockPoint {
        monotonic: Nanos::from_millis(10 * round),
        width: Nanos::new(50),
        reading: Nanos::new(10_000_000 * round + 10 * ppm * round + 2 * (round * 7 % 5 % 2)),
    };
    ClockSeries { clock: clock.to_owned(), points: (0..100).map(point).collect() }
}

fn unavailable(what: &str, why: &str) -> Unobtained {
    Unobtained { what: what.to_owned(), kind: "unavailable".to_owned(), why: why.to_owned() }
}

fn noted() -> Note {
    // Steps of the readings 0, 0, 25 and 50.
    let steps = ClockSteps { reads: 4, repeated: 1, smallest_ticks: Some(25), ..ClockSteps::default() };
    let fine = ClockCompared { reads: 1_234_567, pinned: true, ..ClockCompared::default() };
    let torn = ClockCompared { earlier: 4_321, worst_ticks: 1_580, ..fine };
    let survey = ClockSurvey {
        clocks: vec![
            measured("std-system-time", 24, steps, ClockAcross::Compared(fine)),
            measured("std-instant", 8, steps, ClockAcross::Compared(torn)),
        ],
        series: vec![series("std-instant", 0), series("std-system-time", 12), series("counter-ordered", 0)],
        too_coarse: vec!["time".to_owned()],
        drift_window: Some(Nanos::SECOND),
        counter: None,
        counter_refused: Some(unavailable("counter", "no counter here")),
    };
    let unavailable = vec![unavailable("gethrvtime", "it is a clock of illumos")];
    Note { clocks: Some(survey), unavailable, end: Some(End::Complete), ..Note::default() }
}

fn known() -> Clocks {
    document(&meta(), &noted())
}

#[test]
fn people_see_every_number_once_and_no_line_is_wide() {
    let shown = text(&known(), false);
    let wide: Vec<_> = shown.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    let verdict = crate::headline::of_clocks(&known()).text;
    assert!(verdict.contains("Read earlier on another processor: std-instant."), "{verdict}");
    assert!(verdict.contains("differ by at most 12.0000 ppm (std-system-time and std-instant)"), "{verdict}");
    let rows: Vec<_> = shown.lines().filter(|line| line.trim_start().starts_with("std-")).collect();
    assert!(rows[0].contains("std-instant") && rows[0].contains("8.0") && rows[0].contains("25 ns"), "{shown}");
    assert!(rows[0].contains("33.3 %"), "{shown}");
    assert!(rows[1].contains("std-system-time") && rows[1].contains("24.0"), "{shown}");
    assert!(rows[2].contains("4 321") && rows[2].contains("1 234 567") && rows[2].contains("1.58 µs"), "{shown}");
    assert!(rows[4].trim_start().starts_with("std-system-time") && rows[4].contains("12.00"), "{shown}");
    assert!(shown.contains("same: the interval contains 0"), "{shown}");
    assert!(shown.contains("gethrvtime is unavailable"), "{shown}");
    assert!(shown.contains("No drift: time (100 of its steps"), "{shown}");
}

#[test]
fn programs_see_units_in_the_keys() {
    let value = json!(known());
    assert_eq!(value["clocks"][1]["costs"][2]["per_call_ns"], 8.0);
    assert_eq!(value["clocks"][1]["across_cpus"]["worst_ns"], 1_580);
    assert_eq!(value["drift"][0]["clock"], "std-system-time");
    let drift = value["drift"][0]["drift_ppm"].as_f64().unwrap();
    assert!((drift - 12.0).abs() < 0.01, "{drift}");
    assert_eq!(value["counter"], Value::Null);
    assert_eq!(value["unavailable"][0]["what"], "gethrvtime");
}

#[test]
fn a_survey_stopped_at_once_is_shown_too() {
    let mut note = noted();
    note.end = Some(End::Interrupted);
    let survey = note.clocks.as_mut().unwrap();
    survey.series.clear();
    for clock in &mut survey.clocks {
        clock.costs.clear();
        (clock.steps, clock.across) = (None, None);
    }
    let survey = document(&meta(), &note);
    let shown = text(&survey, false);
    assert!(shown.contains("Stopped before the end"), "{shown}");
    assert_eq!(as_the_article(&survey), "");
    assert_eq!(json!(survey)["clocks"][0]["steps"], Value::Null);
}

#[test]
fn a_file_says_what_its_run_said_and_says_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clocks.arrows");
    let mut writer = Writer::create(&path, &meta(), false).unwrap();
    // The same notes in pieces, as in a run: with the rounds in two parts.
    let mut whole = noted();
    let mut survey = whole.clocks.take().unwrap();
    let mut later = ClockSurvey::default();
    for series in &mut survey.series {
        let points = series.points.split_off(40);
        later.series.push(ClockSeries { clock: series.clock.clone(), points });
    }
    for part in [Note { clocks: Some(survey), ..Note::default() }, Note { clocks: Some(later), ..whole }] {
        writer.note(&part);
        writer.flush();
    }
    assert_eq!(writer.finish().unwrap(), 0);
    let read = || {
        let mut reader = Reader::open(&path).unwrap();
        let mut recording = Recording::new(reader.meta().clone());
        assert_eq!(reader.read_into(&mut recording).unwrap(), Tail::Closed);
        document(&recording.meta, &recording.note)
    };
    assert_eq!(read(), known());
    assert_eq!((text(&read(), true), json!(read())), (text(&known(), true), json!(known())));
}

#[test]
fn a_clock_that_this_catalogue_lacks_is_shown_by_its_name() {
    let mut note = noted();
    note.clocks.as_mut().unwrap().clocks[0].clock = "sundial".to_owned();
    let found = document(&meta(), &note);
    assert_eq!((json!(found)["clocks"][0]["clock"].as_str(), found.clocks[0].call), (Some("sundial"), None));
    assert!(text(&found, false).contains("sundial"));
}

#[test]
fn a_recording_that_breaks_off_says_so() {
    let found = document(&meta(), &Note { end: None, ..noted() });
    assert!(found.stopped && text(&found, false).contains("Stopped before the end"));
    let nothing = document(&meta(), &Note::default());
    assert!(text(&nothing, false).contains("Stopped before the end") && nothing.clocks.is_empty());
}

#[test]
fn what_a_reading_costs_beside_others_is_shown_with_what_it_costs_alone() {
    let mut note = noted();
    assert!(!text(&document(&meta(), &note), false).contains("the same clock"));
    let cost = ClockCost { calls: 1_000, total: Nanos::new(36_000) };
    note.clocks.as_mut().unwrap().clocks[1].loaded = Some(LoadedClockCost { readers: 3, cost });
    let found = document(&meta(), &note);
    let shown = text(&found, false);
    assert!(shown.contains("while 3 threads read the same clock"), "{shown}");
    let row = |name| shown.lines().filter(|line| line.trim_start().starts_with(name)).nth(1).unwrap_or_default();
    let words = |name| row(name).split_whitespace().skip(1).collect::<Vec<_>>();
    assert_eq!(words("std-instant"), ["8.0", "36.0", "4.5"], "{shown}");
    assert_eq!(words("std-system-time"), ["24.0", "–", "–"], "{shown}");
    assert_eq!(
        json!(found)["clocks"][1]["loaded"],
        json!({"readers": 3, "calls": 1_000, "total_ns": 36_000, "per_call_ns": 36.0})
    );
    assert_eq!(json!(found)["clocks"][0].get("loaded"), None);
}

#[test]
fn rates_that_the_kernel_assumes_stand_beside_the_stated_ones() {
    use oversleep_recording::machine::{CounterRate, Ntp};
    use oversleep_sys::units::Ppm;
    assert!(!text(&known(), false).contains("Rates of the counters"), "none is known");
    let mut meta = meta();
    let (stated_hz, kernel_hz) = (Some(2_400_000_000), Some(2_399_961_000));
    let rate = CounterRate { counter: "tsc".to_owned(), stated_hz, kernel_hz, counts_per_tick: None };
    meta.machine.timekeeping.clock_rate = Some(rate);
    meta.machine.ntp = Some(Ntp { frequency: Ppm::new(-16.0), ..meta.machine.ntp.unwrap_or_default() });
    let shown = text(&document(&meta, &noted()), false);
    let expected = "
Rates of the counters that the kernel tells time by

 counter  times         stated, Hz   kernel's, Hz  lengthens the tick by
 tsc      the clock  2 400 000 000  2 399 961 000             +16.25 ppm

NTP corrects the clock's rate by -16.00 ppm.
";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn the_article_s_own_rows_come_out_as_it_printed_them() {
    let width = "mach_absolute_time".len();
    let row = |name, calls, total| line(name, width, calls, total).trim_end().to_owned();
    assert_eq!(
        row("mach_absolute_time", 1_000, 70_447),
        "mach_absolute_time, op: 1000,    total(ns):      70447, 70 (ns/call)"
    );
    assert_eq!(
        row("clock_get_time", 5_000_000, 11_689_396_590),
        "clock_get_time    , op: 5000000, total(ns): 11689396590, 2337 (ns/call)"
    );
}
