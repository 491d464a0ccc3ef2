use super::*;
use crate::plan::{Load, LoadKind, Pattern, Phase, Policy};
use oversleep_sys::units::Nanos;

fn back(conditions: &Conditions) -> Conditions {
    let written = write_conditions(conditions);
    read_conditions(&written.each_ref().map(String::as_str)).unwrap()
}

#[test]
fn every_condition_comes_back() {
    let all = Conditions {
        policy: Some(Policy::Fifo { priority: 80 }),
        nice: Some(-5),
        affinity: Some(vec![3, 0, 1, 2, 9]),
        timer_slack: Some(Nanos::new(1)),
        latency_hold: Some(Nanos::ZERO),
        memory_locked: Some(true),
        load: Some(Load { threads: 2, kind: LoadKind::Timers }),
        threads: Some(4),
        ..Conditions::default()
    };
    assert_eq!(write_conditions(&all), ["fifo", "80", "-5", "3,0-2,9", "1", "0", "true", "2", "timers", "4"]);
    assert_eq!(back(&all), all);
    assert_eq!(back(&Conditions::default()), Conditions::default());
    let times = [Nanos::from_micros(100), Nanos::from_micros(800), Nanos::MILLISECOND];
    let [runtime, deadline, period] = times;
    for policy in [Policy::Other, Policy::Batch, Policy::Idle, Policy::Deadline { runtime, deadline, period }] {
        let one = Conditions { policy: Some(policy), ..Conditions::default() };
        assert_eq!(back(&one), one);
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
    ] {
        let error = with(place, text).unwrap_err();
        assert_eq!((error.column, error.text.as_str()), (CONDITION_COLUMNS[place], text));
    }
    for text in ["fixed:1", "random:1ns", "random:x..y", "aligned:0ns", "hourly", ""] {
        assert_eq!(read_pattern(text, Nanos::ZERO), Err(PatternError(text.to_owned())), "{text}");
    }
}
