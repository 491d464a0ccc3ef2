use super::*;
use oversleep_recording::document::Evidence;
use oversleep_recording::document::evidence::{
    ConstantCost, PeriodicInterference, RunQueue, SlackBasis, TickQuantised, TimerSlack,
};
use oversleep_recording::document::{Budget, CellDiagnosis, Split};
use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern};

pub(super) fn cell(id: u32, asked: Nanos, load: Option<u16>) -> Cell {
    let load = load
        .map(|threads| oversleep_recording::plan::Load { threads, kind: oversleep_recording::plan::LoadKind::Spin });
    Cell {
        conditions: Conditions { load, ..Conditions::default() },
        ..Cell::new(id, "nanosleep", Pattern::Fixed { requested: asked })
    }
}

pub(super) fn plan(cells: Vec<Cell>) -> Plan {
    Plan { kind: Kind::Measure, cells, turns: Vec::new(), seed: 0 }
}

fn found(evidence: impl Into<Evidence>, size: f64, share: f64) -> Finding {
    Finding { share: Some(share), ..Finding::new(evidence, size, Unit::Nanoseconds) }
}

fn slack() -> TimerSlack {
    TimerSlack { usual_late_ns: 67e3, least_late_ns: 5e3, basis: SlackBasis::Nominal, system_rule: None }
}

fn diagnosed(cell: u32, findings: Vec<Finding>) -> CellDiagnosis {
    let split = |late| Some(Split::from([("timer-slack".to_owned(), late), ("unexplained".to_owned(), 17_000)]));
    CellDiagnosis { cell, findings, budget: Budget { p50_ns: split(50_000), p99_ns: split(70_000) } }
}

/// Returns two cells with different causes, a tick that the machine has too, and one cause whose size rounds to zero.
fn example() -> (Plan, Diagnosis) {
    let plan = plan(vec![cell(0, Nanos::MILLISECOND, None), cell(1, Nanos::from_millis(5), Some(2))]);
    let few = vec![found(slack(), 50_000.0, 0.9), found(TickQuantised::default(), 4e6, 0.4)];
    let others = vec![
        found(ConstantCost { usual_late_ns: None, idle: None }, 60_000.0, 0.8),
        found(RunQueue { quanta: None, turn_ns: None, load: None }, 0.2, 0.0),
    ];
    let machine = vec![Finding::new(TickQuantised::default(), 5e6, Unit::Nanoseconds)];
    (plan, Diagnosis { cells: vec![diagnosed(0, few), diagnosed(1, others)], machine, undecided: Vec::new() })
}

#[test]
fn a_cause_is_listed_once_and_none_that_is_worth_nothing() {
    let (plan, diagnosis) = example();
    let shown = text(&plan, &diagnosis, &[], Screen::PLAIN);
    assert_eq!(shown.matches("\n  tick-quantised: ").count(), 1, "{shown}");
    assert!(shown.contains("tick-quantised: 4.00 ms, 40 % of the lateness of nanosleep 1.00 ms, "), "{shown}");
    assert!(!shown.contains("run-queue"), "{shown}");
    assert!(!brief("Linux", &diagnosis, None, None, Screen::PLAIN).contains("run-queue"));
}

#[test]
fn a_remedy_without_a_note_has_no_parentheses() {
    let (_, mut diagnosis) = example();
    let rhythm = PeriodicInterference {
        period_s: 1.0,
        period_error_s: 0.1,
        at_ns: Nanos::SECOND,
        from_s: None,
        to_s: None,
        to_error_s: None,
        events: 9,
        log_likelihood_beyond_chance: 20.0,
    };
    diagnosis.machine = vec![Finding::new(rhythm, 1e6, Unit::Nanoseconds)];
    let shown = brief("Linux", &diagnosis, None, None, Screen::PLAIN);
    assert!(shown.contains("with that period and move or stop it\n"), "{shown}");
    assert!(shown.contains("(for the calling thread; 0 restores the default)\n"), "{shown}");
}

#[test]
fn shares_say_of_which_sleeps_they_are() {
    let (plan, mut diagnosis) = example();
    let shown = text(&plan, &diagnosis, &[], Screen::PLAIN);
    for words in [
        "timer-slack: 50.0 µs, 90 % of the lateness of nanosleep 1.00 ms, ",
        "constant-cost: 60.0 µs, 80 % of the lateness of nanosleep 5.00 ms, ",
        "shares of different sleeps do not add up to 100 %",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    diagnosis.cells.pop();
    let shown = text(&plan, &diagnosis, &[], Screen::PLAIN);
    assert!(shown.contains("90 % of the lateness, confidence") && !shown.contains("add up"), "{shown}");
}

#[test]
fn rows_that_differ_by_their_conditions_alone_show_them() {
    let (plan, mut diagnosis) = example();
    let shown = text(&plan, &diagnosis, &[], Screen::PLAIN);
    assert!(shown.contains("conditions") && shown.contains("2 busy") && shown.contains("default"), "{shown}");
    diagnosis.cells.pop();
    assert!(!text(&plan, &diagnosis, &[], Screen::PLAIN).contains("conditions"));
}

#[test]
fn lines_fit_the_terminal_and_blank_ones_stand_alone() {
    let (plan, diagnosis) = example();
    for width in [70, 80, 120] {
        let shown = text(&plan, &diagnosis, &[], Screen { width, colour: false });
        let long = shown.lines().find(|line| line.chars().count() > width.into());
        assert_eq!(long, None, "{width}: {shown}");
        assert!(!shown.contains("\n\n\n") && !shown.starts_with('\n') && !shown.ends_with("\n\n"), "{shown}");
        assert!(shown.contains("50.0 µs timer-slack"), "{shown}");
    }
}
