//! Comparisons of two sides whose difference is known.

mod shares;
mod unstated;

use super::{CellValues, ComparableRun, Values, shift};
use oversleep_recording::document::{
    Compared, ComparedFigure, ErrorSource, QuantileShift, ShiftVerdict, StatedFacts, TimeLeft,
};
use oversleep_recording::plan::{Cell, Conditions, Kind, Pattern, Plan};
use oversleep_recording::{Distribution, Meta, Note, Origin, Periods, Quantity};
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn planned(slack: Option<i64>) -> Cell {
    Cell {
        conditions: Conditions { timer_slack: slack.map(Nanos::new), ..Conditions::default() },
        ..Cell::new(0, "nanosleep", Pattern::fixed(Nanos::MILLISECOND))
    }
}

fn normal(random: &mut Pcg64Mcg) -> f64 {
    (0..12).map(|_| random.random_range(0.0..1.0)).sum::<f64>() - 6.0
}

/// Returns a run of 400 sleeps about 60 µs late, with an offset of its own (σ = 3 µs) and correlated neighbours.
fn run(shift_us: f64, slack: Option<i64>, random: &mut Pcg64Mcg) -> ComparableRun {
    let cell = planned(slack);
    let offset = 3.0 * normal(random);
    let mut level = 0.0;
    #[allow(clippy::cast_possible_truncation)] // some 60 000
    let series = (0..400)
        .map(|_| {
            level = 0.8 * level + normal(random);
            ((60.0 + shift_us + offset + 2.0 * level) * 1e3) as i64
        })
        .collect();
    let plan = Plan { kind: Kind::Measure, cells: vec![cell.clone()], turns: Vec::new(), seed: 0 };
    let meta = Meta {
        format: Meta::FORMAT,
        tool: "test".to_owned(),
        origin: Origin::Live,
        started: None,
        plan,
        machine: oversleep_recording::machine::Machine::default(),
        unavailable: Vec::new(),
        time_limit: None,
    };
    ComparableRun {
        name: "test".to_owned(),
        meta,
        note: Note::default(),
        cells: vec![CellValues { cell, values: Values::Samples(series), threads: Vec::new(), time_left: None }],
        runtimes: Vec::new(),
        checksum: None,
    }
}

fn series(cell: &CellValues) -> &[i64] {
    let Values::Samples(series) = &cell.values else { panic!("no samples") };
    series
}

fn runs(n: usize, shift_us: f64, random: &mut Pcg64Mcg) -> Vec<ComparableRun> {
    (0..n).map(|_| run(shift_us, None, random)).collect()
}

/// Compares runs that are owned.
fn compare(a: &[ComparableRun], b: &[ComparableRun], paired: bool) -> Compared {
    super::compare(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>(), paired)
}

fn find_shift(compared: &Compared, figure: ComparedFigure) -> &QuantileShift {
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
        let shift = find_shift(&compared, ComparedFigure::P50);
        alarms += usize::from(matches!(shift.verdict, ShiftVerdict::Later | ShiftVerdict::Earlier));
        let single = compare(&a[..1], &b[..1], false);
        let single = find_shift(&single, ComparedFigure::P50);
        assert_eq!((single.verdict, single.p), (ShiftVerdict::Open, None));
        within += usize::from(single.low_ns > 0.0 || single.high_ns < 0.0);
    }
    assert!(alarms <= 28, "{alarms} of 400");
    assert!(within > 150, "the offset of a run is in no interval from within it: {within} of 400");
}

#[test]
fn a_difference_beyond_what_runs_differ_by_is_seen_with_its_size() {
    let mut random = Pcg64Mcg::seed_from_u64(12);
    let (mut seen, mut covered) = (0, 0);
    for _ in 0..100 {
        let (a, b) = (runs(6, 0.0, &mut random), runs(6, 10.0, &mut random));
        let compared = compare(&a, &b, false);
        let shift = find_shift(&compared, ComparedFigure::P50);
        seen += usize::from(shift.verdict == ShiftVerdict::Later);
        covered += usize::from(shift.low_ns <= 10_000.0 && 10_000.0 <= shift.high_ns);
        assert!(compared.cells[0].b_later_share.unwrap() > 0.5);
    }
    assert!(seen >= 95 && covered >= 90, "{seen} seen, {covered} covered of 100");
}

#[test]
fn pairs_see_what_the_offsets_of_runs_would_hide() {
    let mut random = Pcg64Mcg::seed_from_u64(13);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for at in 0..8 {
        let (first, mut second) = (run(0.0, None, &mut random), run(0.0, None, &mut random));
        // The same offset, and 1 µs between the two.
        let moved = series(&first.cells[0]).iter().map(|ns| ns + 1_000 + i64::from(at % 3)).collect();
        second.cells[0].values = Values::Samples(moved);
        a.push(first);
        b.push(second);
    }
    assert_eq!(find_shift(&compare(&a, &b, true), ComparedFigure::P50).verdict, ShiftVerdict::Later);
    assert_eq!(find_shift(&compare(&a, &b, false), ComparedFigure::P50).verdict, ShiftVerdict::NotSeen);
}

#[test]
fn two_recordings_a_side_are_too_few_to_tell() {
    let mut random = Pcg64Mcg::seed_from_u64(14);
    let compared = compare(&runs(2, 0.0, &mut random), &runs(2, 100.0, &mut random), false);
    let shift = find_shift(&compared, ComparedFigure::P50);
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
                    one.cells.push(CellValues {
                        cell,
                        values: Values::Samples(series(&first).to_vec()),
                        threads: Vec::new(),
                        time_left: None,
                    });
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
    two.cells.push(CellValues {
        cell: Cell { id: 1, ..planned(Some(2)) },
        values: Values::Samples(vec![1; 10]),
        threads: Vec::new(),
        time_left: None,
    });
    let compared = compare(&a, &[two], false);
    assert_eq!((compared.cells.len(), compared.only_a.len(), compared.only_b.len()), (0, 1, 2));
}

#[test]
fn facts_that_differ_are_listed_once() {
    let mut random = Pcg64Mcg::seed_from_u64(16);
    let (mut a, mut b) = (runs(2, 0.0, &mut random), runs(2, 0.0, &mut random));
    for (side, release) in [(&mut a, "6.18.43"), (&mut b, "6.18.44")] {
        for run in side {
            run.meta.machine.release = release.to_owned();
        }
    }
    let differences = compare(&a, &b, false).differences;
    assert_eq!(differences.len(), 1, "{differences:?}");
    assert_eq!((differences[0].fact.as_str(), differences[0].b.as_slice()), ("/release", &["6.18.44".to_owned()][..]));
}

#[test]
fn the_share_of_later_sleeps_is_that_of_all_pairs() {
    let series = |values: &[i64]| CellValues {
        cell: planned(None),
        values: Values::Samples(values.to_vec()),
        threads: Vec::new(),
        time_left: None,
    };
    let (a, b) = (series(&[1, 2, 2, 5]), series(&[2, 3]));
    // 2 against 1, 2, 2, 5: 1 + ½ + ½; 3: 1 + 1 + 1.
    assert_eq!(shift::later_share(&[&a], &[&b]), Some(5.0 / 8.0));
}

/// Returns a file with 1000 values in the bucket from `us` to the next microsecond, and a largest value of 50 µs.
fn counted(us: i64) -> ComparableRun {
    let mut one = run(0.0, None, &mut Pcg64Mcg::seed_from_u64(1));
    let bucket = |us| (Nanos::from_micros(us), Nanos::from_micros(us + 1) - Nanos::new(1));
    let counts = Distribution {
        cell: 0,
        quantity: Quantity::Oversleep,
        count: 1_000,
        buckets: vec![(bucket(us).0, bucket(us).1, 1_000)],
        outside_from: None,
        min: None,
        max: Some(bucket(50).1),
        mean_ns: None,
        lost: Vec::new(),
    };
    one.cells[0].values = Values::Counts(counts);
    one
}

#[test]
fn counts_are_compared_by_both_ends_of_their_buckets() {
    let many = |us: &[i64]| us.iter().map(|us| counted(*us)).collect::<Vec<_>>();
    // One bucket lies between them, so B is later by 1.001 to 2.999 µs, whatever the values are.
    let compared = compare(&many(&[3; 4]), &many(&[5; 4]), false);
    let shift = find_shift(&compared, ComparedFigure::P50);
    let bounds = shift.bounds.unwrap();
    assert_eq!((bounds.low_ns, bounds.high_ns), (1_001.0, 2_999.0));
    assert_eq!((shift.low_ns, shift.high_ns, shift.verdict), (1_001.0, 2_999.0, ShiftVerdict::Later));
    let shift = compare(&many(&[5; 4]), &many(&[3; 4]), false).cells[0].shifts[0].clone();
    assert_eq!((shift.verdict, shift.p), (ShiftVerdict::Earlier, Some(2.0 / 70.0)));
    // Of the same bucket nothing is seen; that of the next may begin where this one ends, so that nothing needs to differ.
    for of_b in [[3; 4], [4; 4]] {
        let shift = compare(&many(&[3; 4]), &many(&of_b), false).cells[0].shifts[0].clone();
        assert_ne!(shift.verdict, ShiftVerdict::Earlier);
        assert!(shift.low_ns <= 1.0 && shift.high_ns > 0.0, "{shift:?}");
    }
    let shift = compare(&many(&[3; 4]), &many(&[3; 4]), false).cells[0].shifts[0].clone();
    assert_eq!(
        (shift.verdict, shift.p, shift.low_ns, shift.high_ns),
        (ShiftVerdict::NotSeen, Some(1.0), -999.0, 999.0)
    );
}

#[test]
fn one_file_of_counts_a_side_is_open_with_the_bounds_of_the_difference() {
    let compared = compare(&[counted(3)], &[counted(5)], false);
    let shift = find_shift(&compared, ComparedFigure::P99);
    assert_eq!((shift.verdict, shift.error, shift.p), (ShiftVerdict::Open, ErrorSource::Buckets, None));
    assert_eq!((shift.low_ns, shift.high_ns), (1_001.0, 2_999.0));
    let max = compared.cells[0].max.unwrap();
    assert_eq!(max.difference(), (Some(Nanos::new(-999)), Some(Nanos::new(999))));
    // A recording with samples is comparable too, another quantity is not.
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let mixed = compare(&[counted(3)], &runs(1, 0.0, &mut random), false);
    assert_eq!(find_shift(&mixed, ComparedFigure::P50).error, ErrorSource::Buckets);
    assert!(find_shift(&mixed, ComparedFigure::P50).low_ns > 40_000.0);
    let mut other = counted(5);
    let Values::Counts(counts) = &mut other.cells[0].values else { panic!("counts") };
    counts.quantity = Quantity::LoopGap;
    let none = compare(&[counted(3)], &[other], false);
    assert_eq!((none.cells.len(), none.only_a.len(), none.only_b.len()), (0, 1, 1));
}

#[test]
fn the_largest_of_a_side_is_that_of_all_its_recordings() {
    let with = |values: &[i64]| {
        let mut one = run(0.0, None, &mut Pcg64Mcg::seed_from_u64(1));
        one.cells[0].values = Values::Samples(values.to_vec());
        one
    };
    let compared = compare(&[with(&[1, 9, 2]), with(&[3, 4])], &[with(&[5])], false);
    assert_eq!(compared.cells[0].max.unwrap().difference(), (Some(Nanos::new(-4)), Some(Nanos::new(-4))));
}

/// A quantile may be known to both recordings and still have no interval, because too few values lie beyond it.
#[test]
fn a_quantile_without_an_interval_is_named() {
    let of = |n: i64| {
        let mut one = run(0.0, None, &mut Pcg64Mcg::seed_from_u64(1));
        one.cells[0].values = Values::Samples((0..n).collect());
        [one]
    };
    let missing = |a: i64, b: i64| compare(&of(a), &of(b), false).cells.remove(0).missing;
    let [p99] = missing(320, 320)[..] else { panic!("one") };
    assert_eq!((p99.figure, p99.a_ns, p99.b_ns), (ComparedFigure::P99, Some(Nanos::new(316)), Some(Nanos::new(316))));
    let [p99] = missing(320, 20)[..] else { panic!("one") };
    assert_eq!((p99.a_ns, p99.b_ns), (Some(Nanos::new(316)), None));
    assert!(missing(20, 20).is_empty());
}

#[test]
fn the_facts_of_a_simulated_machine_are_none_of_a_machine() {
    let mut random = Pcg64Mcg::seed_from_u64(16);
    let (a, mut b) = (runs(1, 0.0, &mut random), runs(1, 0.0, &mut random));
    b[0].meta.machine.release = "6.18.44".to_owned();
    b[0].meta.origin = Origin::Simulated { model: "test".to_owned(), parameters: serde_json::Value::Null };
    let compared = compare(&a, &b, false);
    assert_eq!(compared.stated, [StatedFacts::Nothing, StatedFacts::Simulated]);
    assert!(compared.differences.is_empty());
}

#[test]
fn periods_of_schedules_are_summed_over_a_side() {
    let mut random = Pcg64Mcg::seed_from_u64(16);
    let (mut a, mut b) = (runs(2, 0.0, &mut random), runs(1, 0.0, &mut random));
    for run in a.iter_mut().chain(&mut b) {
        run.note.periods = vec![Periods { asked: 10, fresh: 7, late: 2, skipped: 1, ..Periods::default() }];
    }
    let left = |us, p99| {
        Some(TimeLeft {
            period: Nanos::MILLISECOND,
            least: Some(Nanos::from_micros(us)),
            p50: None,
            p90: None,
            p99,
            p999: None,
            work: None,
        })
    };
    let us = |us| Some(Nanos::from_micros(us));
    a[0].cells[0].time_left = left(5, us(90));
    a[1].cells[0].time_left = left(3, us(80));
    b[0].cells[0].time_left = left(7, None);
    let periods = compare(&a, &b, false).cells[0].periods.clone().unwrap();
    let counts = (periods.a.counts, periods.b.counts);
    assert_eq!((counts.0.asked, counts.0.late, counts.0.skipped, counts.1.skipped), (20, 4, 2, 1));
    assert_eq!((periods.a.left_p99, periods.a.left_least), (us(85), us(3)));
    assert_eq!((periods.b.left_p99, periods.b.left_least), (None, us(7)));
    b[0].note.periods.clear();
    assert_eq!(compare(&a, &b, false).cells[0].periods, None);
}
