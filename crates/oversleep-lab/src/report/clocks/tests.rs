//! A survey of known numbers, shown.

use super::*;
use crate::analysis::clocks::Steps;
use crate::analysis::clocks::drift::Point;
use crate::capture::clocks::{Compared, Cost, Series};
use oversleep_sys::Refusal;
use oversleep_sys::clock::{ClockId, open};
use serde_json::Value;

fn measured(id: ClockId, each: i64, steps: Steps, across: Across) -> Measured {
    let cost = |calls: u64| Cost { calls, total: Nanos::new(each * i64::try_from(calls).unwrap()) };
    let costs = vec![cost(1_000), cost(1_000_000), cost(5_000_000)];
    Measured { probe: open(id).unwrap(), costs, steps: Some(steps), across: Some(across) }
}

/// 100 rounds, 10 ms apart, of a clock this much too fast, the noise of its readings alternating by 2 ns.
fn series(id: ClockId, ppm: i64) -> Series {
    let point = |round: i64| Point {
        monotonic: Nanos::from_millis(10 * round),
        width: Nanos::new(50),
        reading: Nanos::new(10_000_000 * round + 10 * ppm * round + 2 * (round * 7 % 5 % 2)),
    };
    Series { id, points: (0..100).map(point).collect() }
}

fn known() -> Survey {
    let mut steps = Steps::default();
    for reading in [0, 0, 25, 50] {
        steps.push(reading);
    }
    let fine = Compared { reads: 1_234_567, pinned: true, ..Compared::default() };
    let torn = Compared { earlier: 4_321, worst: Nanos::new(1_580), worst_ticks: 1_580, ..fine };
    Survey {
        clocks: vec![
            measured(ClockId::StdSystemTime, 24, steps, Across::Compared(fine)),
            measured(ClockId::StdInstant, 8, steps, Across::Compared(torn)),
        ],
        unavailable: vec![(ClockId::Gethrvtime, Refusal::Unavailable("it is a clock of illumos".to_owned()))],
        series: vec![
            series(ClockId::StdInstant, 0),
            series(ClockId::StdSystemTime, 12),
            series(ClockId::CounterOrdered, 0),
        ],
        too_coarse: vec![ClockId::Time],
        drift: Nanos::SECOND,
        counter: Err(Refusal::Unavailable("no counter here".to_owned())),
        stopped: false,
    }
}

#[test]
fn people_see_every_number_once_and_no_line_is_wide() {
    let shown = text(&known(), false);
    let wide: Vec<_> = shown.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    let rows: Vec<_> = shown.lines().filter(|line| line.trim_start().starts_with("std-")).collect();
    assert!(rows[0].contains("std-instant") && rows[0].contains("8.0") && rows[0].contains("25 ns"), "{shown}");
    assert!(rows[0].contains("33.3 %"), "{shown}");
    assert!(rows[1].contains("std-system-time") && rows[1].contains("24.0"), "{shown}");
    assert!(rows[2].contains("4 321") && rows[2].contains("1 234 567") && rows[2].contains("1.58 µs"), "{shown}");
    assert!(rows[4].trim_start().starts_with("std-system-time") && rows[4].contains("12.00"), "{shown}");
    assert!(shown.contains("same: the interval holds 0"), "{shown}");
    assert!(shown.contains("gethrvtime is unavailable"), "{shown}");
    assert!(shown.contains("No drift: time (100 of its steps"), "{shown}");
}

#[test]
fn programs_see_units_in_the_keys() {
    let value = json(&known());
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
    let mut survey = known();
    survey.stopped = true;
    survey.series.clear();
    for clock in &mut survey.clocks {
        clock.costs.clear();
        (clock.steps, clock.across) = (None, None);
    }
    let shown = text(&survey, false);
    assert!(shown.contains("Stopped before the end"), "{shown}");
    assert_eq!(as_the_article(&survey), "");
    assert_eq!(json(&survey)["clocks"][0]["steps"], Value::Null);
}
