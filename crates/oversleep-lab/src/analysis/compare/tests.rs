//! Comparisons of two sides whose difference is known.

use super::{CellSeries, ComparableRun, shift};
use oversleep_recording::document::{Compared, ComparedFigure, QuantileShift, ShiftVerdict};
use oversleep_recording::plan::{Cell, ClockName, Conditions, Pattern, Plan};
use oversleep_recording::{Meta, Origin};
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn planned(slack: Option<i64>) -> Cell {
    Cell {
        id: 0,
        method: "nanosleep".to_owned(),
        pattern: Pattern::fixed(Nanos::MILLISECOND),
        clock: ClockName::Monotonic,
        conditions: Conditions { timer_slack: slack.map(Nanos::new), ..Conditions::default() },
    }
}

fn normal(random: &mut Pcg64Mcg) -> f64 {
    (0..12).map(|_| random.random_range(0.0..1.0)).sum::<f64>() - 6.0
}

/// Returns a run of 400 sleeps about 60 µs late, with an offset of its own (σ = 3 µs) and correlated neighbours.
fn run(shift_us: f64, slack: Option<i64>, random: &mut Pcg64Mcg) -> ComparableRun {
    let cell = planned(slack);
    let mood = 3.0 * normal(random);
    let mut level = 0.0;
    #[allow(clippy::cast_possible_truncation)] // some 60 000
    let series = (0..400)
        .map(|_| {
            level = 0.8 * level + normal(random);
            ((60.0 + shift_us + mood + 2.0 * level) * 1e3) as i64
        })
        .collect();
    let plan = Plan { experiment: "test".to_owned(), cells: vec![cell.clone()], turns: Vec::new(), seed: 0 };
    let meta = Meta {
        format: Meta::FORMAT,
        tool: "test".to_owned(),
        origin: Origin::Live,
        started: None,
        plan,
        machine: oversleep_recording::machine::Machine::default(),
        unavailable: Vec::new(),
    };
    ComparableRun { name: "test".to_owned(), meta, cells: vec![CellSeries { cell, series }], runtimes: Vec::new() }
}

fn runs(n: usize, shift_us: f64, random: &mut Pcg64Mcg) -> Vec<ComparableRun> {
    (0..n).map(|_| run(shift_us, None, random)).collect()
}

/// Compares runs that are owned.
fn compare(a: &[ComparableRun], b: &[ComparableRun], paired: bool) -> Compared {
    super::compare(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>(), paired)
}

fn of(compared: &Compared, figure: ComparedFigure) -> &QuantileShift {
    compared.cells[0].shifts.iter().find(|shift| shift.figure == figure).unwrap()
}

/// Runs of the same kind differ by 3 µs; the test must not call that a difference more often than its level allows. The
/// interval from within one run would do so in more than half of the cases.
#[test]
fn the_same_compared_with_itself_alarms_in_one_of_twenty() {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let (mut alarms, mut within) = (0, 0);
    for _ in 0..400 {
        let (a, b) = (runs(5, 0.0, &mut random), runs(5, 0.0, &mut random));
        let compared = compare(&a, &b, false);
        let shift = of(&compared, ComparedFigure::P50);
        alarms += usize::from(matches!(shift.verdict, ShiftVerdict::Later | ShiftVerdict::Earlier));
        let single = compare(&a[..1], &b[..1], false);
        let single = of(&single, ComparedFigure::P50);
        assert_eq!((single.verdict, single.p), (ShiftVerdict::Open, None));
        within += usize::from(single.low_ns > 0.0 || single.high_ns < 0.0);
    }
    assert!(alarms <= 28, "{alarms} of 400");
    assert!(within > 150, "the mood of a run is in no interval from within it: {within} of 400");
}

#[test]
fn a_difference_beyond_what_runs_differ_by_is_seen_with_its_size() {
    let mut random = Pcg64Mcg::seed_from_u64(12);
    let (mut seen, mut covered) = (0, 0);
    for _ in 0..100 {
        let (a, b) = (runs(6, 0.0, &mut random), runs(6, 10.0, &mut random));
        let compared = compare(&a, &b, false);
        let shift = of(&compared, ComparedFigure::P50);
        seen += usize::from(shift.verdict == ShiftVerdict::Later);
        covered += usize::from(shift.low_ns <= 10_000.0 && 10_000.0 <= shift.high_ns);
        assert!(compared.cells[0].b_later_share.unwrap() > 0.5);
    }
    assert!(seen >= 95 && covered >= 90, "{seen} seen, {covered} covered of 100");
}

#[test]
fn pairs_see_what_the_moods_of_runs_would_hide() {
    let mut random = Pcg64Mcg::seed_from_u64(13);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for at in 0..8 {
        let (first, mut second) = (run(0.0, None, &mut random), run(0.0, None, &mut random));
        // The same offset, and 1 µs between the two.
        second.cells[0].series = first.cells[0].series.iter().map(|ns| ns + 1_000 + i64::from(at % 3)).collect();
        a.push(first);
        b.push(second);
    }
    assert_eq!(of(&compare(&a, &b, true), ComparedFigure::P50).verdict, ShiftVerdict::Later);
    assert_eq!(of(&compare(&a, &b, false), ComparedFigure::P50).verdict, ShiftVerdict::NotSeen);
}

#[test]
fn two_recordings_a_side_are_too_few_to_tell() {
    let mut random = Pcg64Mcg::seed_from_u64(14);
    let compared = compare(&runs(2, 0.0, &mut random), &runs(2, 100.0, &mut random), false);
    let shift = of(&compared, ComparedFigure::P50);
    assert_eq!(shift.verdict, ShiftVerdict::Open);
    assert!(shift.confidence < 0.7);
}

/// Four recordings a side show a difference in one cell, and cannot in one of four, however large it is.
#[test]
fn what_so_few_recordings_cannot_show_among_so_many_cells_is_undecided() {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut sides = |runs: usize, cells: u32| {
        [0.0, 500.0].map(|shift_us| {
            let many = (0..runs).map(|_| {
                let mut one = run(shift_us, None, &mut random);
                let first = one.cells.remove(0);
                for id in 0..cells {
                    let pattern = Pattern::fixed(Nanos::from_millis(i64::from(id) + 1));
                    let cell = Cell { id, pattern, ..first.cell.clone() };
                    one.meta.plan.cells.push(cell.clone());
                    one.cells.push(CellSeries { cell, series: first.series.clone() });
                }
                one.meta.plan.cells.remove(0);
                one
            });
            many.collect::<Vec<_>>()
        })
    };
    for (runs, cells, expected) in [
        (4, 1, ShiftVerdict::Later),
        (4, 4, ShiftVerdict::Open),
        (5, 4, ShiftVerdict::Later),
        (6, 4, ShiftVerdict::Later),
    ] {
        let [a, b] = sides(runs, cells);
        let compared = compare(&a, &b, false);
        assert_eq!(compared.cells.len(), cells as usize);
        let verdicts = compared.cells.iter().map(|cell| cell.shifts[0].verdict).collect::<Vec<_>>();
        assert!(verdicts.iter().all(|verdict| *verdict == expected), "{runs} runs, {cells} cells: {verdicts:?}");
    }
}

#[test]
fn cells_under_other_conditions_stand_side_by_side_where_no_other_fits() {
    let mut random = Pcg64Mcg::seed_from_u64(15);
    let (a, b) = ([run(0.0, Some(1), &mut random)], [run(0.0, Some(50_000), &mut random)]);
    let compared = compare(&a, &b, false);
    assert_eq!(compared.cells.len(), 1);
    assert_ne!(compared.cells[0].a.conditions, compared.cells[0].b.conditions);
    // Two cells match, so neither is chosen.
    let mut two = run(0.0, Some(50_000), &mut random);
    two.cells.push(CellSeries { cell: Cell { id: 1, ..planned(Some(2)) }, series: vec![1; 10] });
    let compared = compare(&a, &[two], false);
    assert_eq!((compared.cells.len(), compared.only_a.len(), compared.only_b.len()), (0, 1, 2));
}

#[test]
fn facts_that_differ_are_listed_once() {
    let mut random = Pcg64Mcg::seed_from_u64(16);
    let (a, mut b) = (runs(2, 0.0, &mut random), runs(2, 0.0, &mut random));
    for run in &mut b {
        run.meta.machine.release = "6.18.44".to_owned();
    }
    let differences = compare(&a, &b, false).differences;
    assert_eq!(differences.len(), 1, "{differences:?}");
    assert_eq!((differences[0].fact.as_str(), differences[0].b.as_slice()), ("/release", &["6.18.44".to_owned()][..]));
}

#[test]
fn the_share_of_later_sleeps_is_that_of_all_pairs() {
    let series = |values: &[i64]| CellSeries { cell: planned(None), series: values.to_vec() };
    let (a, b) = (series(&[1, 2, 2, 5]), series(&[2, 3]));
    // 2 against 1, 2, 2, 5: 1 + ½ + ½; 3: 1 + 1 + 1.
    assert_eq!(shift::later_share(&[&a], &[&b]), Some(5.0 / 8.0));
}
