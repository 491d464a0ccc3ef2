use super::*;
use crate::plan::{ClockName, Load, LoadKind, Pattern, Phase, Policy, PriorityClass, Qos};
use oversleep_sys::units::Nanos;

fn back(conditions: &Conditions) -> Conditions {
    let written = write_conditions(conditions);
    read_conditions(&written.each_ref().map(String::as_str)).unwrap()
}

/// Conditions of which each is stated; a new one has to be added here to compile.
fn all() -> Conditions {
    Conditions {
        policy: Some(Policy::Fifo { priority: 80 }),
        nice: Some(-5),
        affinity: Some(vec![3, 0, 1, 2, 9]),
        one_cpu_each: Some(true),
        timer_slack: Some(Nanos::new(1)),
        memory_locked: Some(true),
        latency_hold: Some(Nanos::ZERO),
        timer_resolution: Some(Nanos::from_micros(500)),
        priority_class: Some(PriorityClass::AboveNormal),
        multimedia_task: Some("Pro Audio".to_owned()),
        qos: Some(Qos::UserInteractive),
        unthrottled: Some(false),
        load: Some(Load { threads: 2, kind: LoadKind::Timers }),
        threads: Some(4),
        phase: Some(Phase::BackToBack),
        traced: Some(false),
    }
}

#[test]
fn every_condition_comes_back() {
    // Those of the columns `one_cpu_each`, `phase` and `traced` are not written twice.
    let all = Conditions { one_cpu_each: None, phase: None, traced: None, ..all() };
    let written = write_conditions(&all);
    assert_eq!(written[..10], ["fifo", "80", "-5", "3,0-2,9", "1", "0", "true", "2", "timers", "4"]);
    assert_eq!(written[10..], ["500000", "above-normal", "Pro Audio", "user-interactive", "false"]);
    assert_eq!(back(&all), all);
    assert_eq!(back(&Conditions::default()), Conditions::default());
    for kind in LoadKind::ALL {
        let one = Conditions { load: Some(Load { threads: 1, kind: *kind }), ..Conditions::default() };
        assert_eq!(back(&one), one);
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
    }
    let times = [Nanos::from_micros(100), Nanos::from_micros(800), Nanos::MILLISECOND];
    let [runtime, deadline, period] = times;
    for policy in [Policy::Other, Policy::Batch, Policy::Idle, Policy::Deadline { runtime, deadline, period }] {
        let one = Conditions { policy: Some(policy), ..Conditions::default() };
        assert_eq!(back(&one), one);
    }
}

#[test]
fn every_condition_has_a_column() {
    let columns = CELL_COLUMNS.map(|(name, _)| name);
    let stated = serde_json::to_value(all()).unwrap();
    for name in stated.as_object().unwrap().keys() {
        let column = if name == "affinity" { "cpus" } else { name };
        assert!(columns.contains(&column) || column == "load", "{name}");
    }
    for name in CONDITION_COLUMNS {
        assert!(columns.contains(&format!("asked_{name}").as_str()), "{name}");
    }
    let cell = Cell {
        id: 3,
        method: "nap".to_owned(),
        pattern: Pattern::fixed(Nanos::MILLISECOND),
        clock: ClockName::Monotonic,
        conditions: all(),
    };
    let values = cell_values(&cell, Some(7), Some(&all()));
    for (column, value) in columns.iter().zip(&values) {
        assert!(!value.is_empty(), "{column}");
    }
}

#[test]
fn every_pattern_and_phase_comes_back() {
    let ms = Nanos::MILLISECOND;
    for pattern in [
        Pattern::Fixed { requested: ms },
        Pattern::Periodic { period: ms },
        Pattern::Random { from: Nanos::new(3), to: ms },
        Pattern::Aligned { to: ms },
    ] {
        assert_eq!(read_pattern(&write_pattern(pattern), ms), Ok(pattern));
    }
    for phase in [Phase::BackToBack, Phase::Random { window: ms }, Phase::Warm { lead: ms }] {
        assert_eq!(read_phase(&pattern::write_phase(phase)), Ok(Some(phase)));
    }
    assert_eq!(read_phase(""), Ok(None));
}

#[test]
fn what_is_no_condition_is_refused_by_its_column() {
    let with = |place: usize, text: &'static str| {
        let mut values = [""; CONDITION_COLUMNS.len()];
        values[0] = if place == 1 { "fifo" } else { "" };
        values[7] = if place == 8 { "1" } else { "" };
        values[place] = text;
        read_conditions(&values)
    };
    for (place, text) in [
        (0, "soon"),
        (1, "x"),
        (2, "1e9"),
        (3, "0-4294967295"),
        (3, "5-2"),
        (4, "NaN"),
        (6, "yes"),
        (7, "70000"),
        (8, "sleepy"),
        (10, "often"),
        (11, "urgent"),
        (13, "best"),
        (14, "maybe"),
    ] {
        let error = with(place, text).unwrap_err();
        assert_eq!((error.column, error.text.as_str()), (CONDITION_COLUMNS[place], text));
    }
    for text in ["fixed:1", "random:1ns", "random:x..y", "aligned:0ns", "hourly", ""] {
        assert_eq!(read_pattern(text, Nanos::ZERO), Err(PatternError(text.to_owned())), "{text}");
    }
}
