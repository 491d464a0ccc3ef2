use super::*;
use crate::plan::{Conditions, Phase, Policy};
use oversleep_sys::units::Nanos;

fn here() -> LocalMachine {
    let methods = ["nanosleep", "clock-nanosleep", "clock-nanosleep-abs", "timerfd", "timerfd-abs", "select", "poll"];
    LocalMachine { cpu: Some(3), methods: methods.map(str::to_owned).to_vec(), slack: Some(Nanos::from_micros(50)) }
}

fn base(method: &str, conditions: &Conditions) -> Cell {
    let row = MethodId::from_name(method).unwrap().row();
    super::super::build::cell(7, row, Pattern::fixed(Nanos::MILLISECOND), conditions)
}

fn neighbour(cells: &[Cell]) -> &Cell {
    cells.iter().find(|cell| beside_neighbour(&cells[0], cell)).unwrap()
}

fn changes(base: &Cell) -> Vec<Change> {
    let cells = cells(base, &here());
    assert!(cells.iter().zip(0..).all(|(cell, id)| cell.id == id));
    cells[1..]
        .iter()
        .map(|cell| match &Change::between(&cells[0], cell)[..] {
            [one] => one.clone(),
            // A cell with a neighbour is compared with the pinned thread.
            [Change::Affinity { .. }, neighbour @ Change::Neighbour { .. }] => neighbour.clone(),
            // A counterpart without slack beside a neighbour is compared with the cell beside that neighbour.
            all if all.contains(&Change::Neighbour { threads: 1 }) => {
                Change::between(neighbour(&cells), cell)[0].clone()
            }
            other => panic!("not one thing: {other:?}"),
        })
        .collect()
}

#[test]
fn each_variant_differs_in_one_thing_and_no_two_are_alike() {
    for method in ["nanosleep", "clock-nanosleep-abs", "timerfd", "select"] {
        let base = base(method, &Conditions::default());
        let changes = changes(&base);
        assert!(changes.len() >= 15, "{method}: {changes:?}");
        assert!(!changes.contains(&Change::Other));
        let cells = cells(&base, &here());
        for (index, cell) in cells.iter().enumerate() {
            let again = |other: &Cell| Cell { id: cell.id, ..other.clone() } == *cell;
            assert!(!cells[..index].iter().any(again), "{method}: {cell:?} twice");
        }
    }
}

#[test]
fn a_base_that_has_it_already_is_not_varied_in_it() {
    let conditions = Conditions {
        timer_slack: Some(Nanos::new(1)),
        policy: Some(Policy::Fifo { priority: 50 }),
        affinity: Some(vec![1]),
        ..Conditions::default()
    };
    let changes = changes(&base("nanosleep", &conditions));
    let slacks: Vec<_> = changes.iter().filter(|change| matches!(change, Change::Slack { .. })).collect();
    assert_eq!(slacks.len(), 2);
    let fifo = |change: &Change| matches!(change, Change::Policy { policy: Some(Policy::Fifo { .. }) });
    assert!(!changes.iter().any(fifo));
    assert!(!changes.iter().any(|change| matches!(change, Change::Affinity { .. })));
    assert!(changes.contains(&Change::Neighbour { threads: 1 }));
}

#[test]
fn a_counterpart_of_each_slack_lasts_as_long_without_it() {
    let counterparts = |slack| {
        let base = base("nanosleep", &Conditions { timer_slack: slack, ..Conditions::default() });
        let cells = cells(&base, &here());
        let least =
            |change: &Change| matches!(change, Change::SlackAsLong { slack_ns: Some(slack), .. } if slack.get() == 1);
        let longer = cells.into_iter().filter(|cell| matches!(&Change::between(&base, cell)[..], [one] if least(one)));
        longer.filter_map(|cell| Some(cell.pattern.requested()?.get() - 1_000_000)).collect::<Vec<_>>()
    };
    assert_eq!(counterparts(None), [50_000, 1_000_000]);
    assert_eq!(counterparts(Some(Nanos::from_micros(70))), [50_000, 70_000, 1_000_000]);
}

#[test]
fn a_deadline_stands_against_the_duration_of_the_same_timer() {
    let change_of = |method: &str| {
        changes(&base(method, &Conditions::default()))
            .into_iter()
            .find(|change| matches!(change, Change::Absolute { .. } | Change::Relative { .. }))
    };
    assert_eq!(change_of("nanosleep"), Some(Change::Absolute { method: "clock-nanosleep-abs".into() }));
    assert_eq!(change_of("clock-nanosleep-abs"), Some(Change::Relative { method: "clock-nanosleep".into() }));
    assert_eq!(change_of("timerfd-abs"), Some(Change::Relative { method: "timerfd".into() }));
    assert_eq!(change_of("select"), None);
}

#[test]
fn warm_sleeps_wake_within_themselves() {
    let phase_of = |requested| {
        let base = Cell { pattern: Pattern::fixed(requested), ..base("nanosleep", &Conditions::default()) };
        cells(&base, &here()).into_iter().find_map(|cell| match cell.conditions.phase {
            Some(Phase::Warm { lead }) => Some(lead),
            _ => None,
        })
    };
    assert_eq!(phase_of(Nanos::from_micros(100)), None);
    assert_eq!(phase_of(Nanos::MILLISECOND), Some(Nanos::from_micros(500)));
    assert_eq!(phase_of(Nanos::SECOND), Some(Nanos::MILLISECOND));
}
