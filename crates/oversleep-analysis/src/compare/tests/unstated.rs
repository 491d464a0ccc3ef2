//! Rows of which one side does not state all conditions.

use super::*;
use oversleep_recording::document::PairedBy;
use oversleep_recording::plan::{Load, LoadKind, Policy};

/// Returns a recording with a row for each of these sets of conditions.
fn rows(conditions: &[Conditions]) -> ComparableRun {
    let mut one = run(0.0, None, &mut Pcg64Mcg::seed_from_u64(1));
    let first = one.cells.remove(0);
    one.cells = (0..).zip(conditions).map(|(id, conditions)| row(id, &first, conditions.clone())).collect();
    one
}

fn row(id: u32, like: &CellValues, conditions: Conditions) -> CellValues {
    let cell = Cell { id, conditions, ..like.cell.clone() };
    CellValues { cell, values: Values::Samples(series(like).to_vec()), threads: Vec::new(), time_left: None }
}

fn busy(threads: u16) -> Conditions {
    Conditions { load: Some(Load { threads, kind: LoadKind::Spin }), ..Conditions::default() }
}

/// Returns these conditions with a policy and a timer slack.
fn stated(of: Conditions) -> Conditions {
    Conditions { policy: Some(Policy::Fifo { priority: 80 }), timer_slack: Some(Nanos::new(1)), ..of }
}

/// Returns the loads of paired rows, and why they are paired.
fn pairs(compared: &Compared) -> Vec<(Option<u16>, Option<u16>, PairedBy)> {
    let load = |conditions: &Conditions| conditions.load.map(|load| load.threads);
    compared.cells.iter().map(|cell| (load(&cell.a.conditions), load(&cell.b.conditions), cell.paired_by)).collect()
}

#[test]
fn rows_that_differ_in_nothing_that_both_sides_state_are_paired() {
    let (full, short) = (rows(&[stated(busy(1)), stated(busy(2))]), rows(&[busy(2), busy(1)]));
    let compared = compare(&[full], &[short], false);
    let by = PairedBy::Unstated;
    assert_eq!(pairs(&compared), [(Some(1), Some(1), by), (Some(2), Some(2), by)]);
    assert_eq!(compared.unstated, [vec![], vec!["policy", "timer slack"]]);
}

#[test]
fn rows_that_state_different_values_are_not_paired() {
    let (full, short) = (rows(&[stated(busy(1)), stated(busy(2))]), rows(&[busy(3), busy(4)]));
    let compared = compare(&[full], &[short], false);
    assert_eq!((pairs(&compared), compared.only_a.len(), compared.only_b.len()), (vec![], 2, 2));
    assert_eq!(compared.unstated, [Vec::<&str>::new(), vec![]]);
    // The only rows of both sides are still shown beside each other, as not alike.
    let compared = compare(&[rows(&[stated(busy(1))])], &[rows(&[busy(3)])], false);
    assert_eq!(pairs(&compared), [(Some(1), Some(3), PairedBy::Only)]);
    assert_eq!(compared.unstated, [Vec::<&str>::new(), vec![]]);
    // One row of B may be either row of A.
    let slack = |ns| Conditions { timer_slack: Some(Nanos::new(ns)), ..Conditions::default() };
    let compared = compare(&[rows(&[slack(1), slack(50_000)])], &[rows(&[Conditions::default()])], false);
    assert!(compared.cells.is_empty(), "{:?}", pairs(&compared));
}

#[test]
fn each_side_may_leave_out_what_the_other_states() {
    let slack = |of: Conditions| Conditions { timer_slack: Some(Nanos::new(1)), ..of };
    let nice = |of: Conditions| Conditions { nice: Some(5), ..of };
    let compared = compare(&[rows(&[slack(busy(1)), slack(busy(2))])], &[rows(&[nice(busy(1)), nice(busy(2))])], false);
    assert_eq!(pairs(&compared).len(), 2);
    assert_eq!(compared.unstated, [vec!["niceness"], vec!["timer slack"]]);
}

/// A table with a column of busy threads states how many there are, and may not say what they do.
#[test]
fn the_kind_of_load_may_be_assumed() {
    let memory = |threads| Conditions { load: Some(Load { threads, kind: LoadKind::Memory }), ..Conditions::default() };
    let (full, mut short) =
        (rows(&[memory(0), memory(2), memory(3)]), rows(&[Conditions::default(), busy(3), busy(2)]));
    let by = PairedBy::Unstated;
    // Two rows of spinning threads are other rows than those of threads that walk memory.
    let compared = compare(std::slice::from_ref(&full), std::slice::from_ref(&short), false);
    assert_eq!((pairs(&compared), compared.only_a.len()), (vec![(Some(0), None, by)], 2));
    assert_eq!(compared.unstated, [Vec::<&str>::new(), vec![]]);
    short.note.load_kind_assumed = true;
    let compared = compare(&[short], &[full], false);
    assert_eq!(pairs(&compared), [(None, Some(0), by), (Some(3), Some(3), by), (Some(2), Some(2), by)]);
    assert_eq!(compared.unstated, [vec!["kind of load"], vec![]]);
}
