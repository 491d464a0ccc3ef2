use super::pattern::read_phase;
use super::*;
use crate::plan::{CONDITIONS, Load, LoadKind, Pattern, Phase, Policy};
use oversleep_sys::units::Nanos;

fn back(conditions: &Conditions) -> Conditions {
    let written = write_conditions(conditions);
    read_conditions(&written.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
}

/// Returns conditions of which each is stated.
fn all() -> Conditions {
    let mut all = Conditions::default();
    for row in CONDITIONS {
        row.set(&mut all, &row.kind.example());
    }
    all
}

#[test]
fn every_condition_comes_back() {
    let all = all();
    let written = write_conditions(&all);
    assert_eq!(written[..6], ["fifo", "80", "19", "3,0-2,9", "true", "7000"]);
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
    let columns: Vec<&str> = CELL_COLUMNS.iter().map(|(name, _)| name.as_str()).collect();
    let stated = serde_json::to_value(all()).unwrap();
    for name in stated.as_object().unwrap().keys() {
        let column = if name == "affinity" { "cpus" } else { name };
        assert!(columns.contains(&column) || column == "load", "{name}");
    }
    let cell = Cell { conditions: all(), ..Cell::new(3, "nap", Pattern::fixed(Nanos::MILLISECOND)) };
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
    let with = |column: &str, text: &'static str| {
        let value = |known: ConditionColumn| match known.name {
            name if name == column => text,
            "policy" if column == "priority" => "fifo",
            "load" if column == "load_kind" => "1",
            _ => "",
        };
        read_conditions(&condition_columns().map(value).collect::<Vec<_>>())
    };
    for (column, text) in [
        ("policy", "soon"),
        ("policy", "fifo"),
        ("priority", "x"),
        ("nice", "1e9"),
        ("nice", "9999999999"),
        ("cpus", "0-4294967295"),
        ("cpus", "5-2"),
        ("timer_slack_ns", "NaN"),
        ("memory_locked", "yes"),
        ("load", "70000"),
        ("load_kind", "sleepy"),
        ("timer_resolution_ns", "often"),
        ("priority_class", "urgent"),
        ("qos", "best"),
        ("unthrottled", "maybe"),
        ("phase", "full-moon"),
    ] {
        let error = with(column, text).unwrap_err();
        assert_eq!((error.column, error.text.as_str()), (column, text));
    }
    for text in ["fixed:1", "random:1ns", "random:x..y", "aligned:0ns", "hourly", ""] {
        assert_eq!(read_pattern(text, Nanos::ZERO), Err(PatternError(text.to_owned())), "{text}");
    }
}
