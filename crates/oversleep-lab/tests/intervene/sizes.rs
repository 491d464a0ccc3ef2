//! Effects that are there are seen, and their intervals hold the truth.

use crate::made::{Lateness, cells, record};
use oversleep_lab::analysis::diagnose::Cause;
use oversleep_lab::analysis::intervene::{Effort, intervene, intervene_with};
use oversleep_lab::plan::{Cell, Conditions, Pattern};
use oversleep_os::units::Nanos;

const MOODY: Lateness = Lateness { base: 60.0, each: 15.0, outlier: 50, mood: 40.0 };

#[test]
fn a_shift_well_above_what_could_be_seen_is_seen_and_one_well_below_is_not_claimed() {
    let shift = |cell| match cell {
        1 => -50.0,
        2 => 950.0,
        3 => 0.1,
        _ => 0.0,
    };
    let found = intervene(&record(cells(4), 6, MOODY, shift, 11)).unwrap();
    let effect = |cell| found.effects.iter().find(|effect| effect.cell == cell).unwrap();
    for (cell, true_shift) in [(1, -50_000.0), (2, 950_000.0)] {
        let p50 = effect(cell).p50;
        assert!(p50.seen && (p50.size - true_shift).abs() < 12_000.0, "{p50:?}");
        assert!(p50.could_see < true_shift.abs());
    }
    assert!(!effect(3).p50.seen && effect(3).p50.could_see > 100.0);
    assert!(!effect(4).p50.seen);
}

/// A percentile interval from 60 to 100 blocks is a little narrow; nine in ten is what is asked of 95 %.
#[test]
fn intervals_hold_the_truth() {
    let (mut median, mut delay) = (0, 0);
    let effort = Effort { draws: 400, swaps: 50 };
    for seed in 0..200 {
        let found = intervene_with(&record(cells(1), 2, MOODY, |cell| f64::from(cell) * -7.0, seed), effort).unwrap();
        let effect = &found.effects[0];
        median += u32::from(effect.p50.low <= -7_000.0 && -7_000.0 <= effect.p50.high);
        delay += u32::from(effect.delay.low <= -7_000.0 && -7_000.0 <= effect.delay.high);
    }
    println!("of 200: median {median}, delay {delay}");
    assert!(median >= 180 && delay >= 180, "median {median}, delay {delay}");
}

/// 4 % of the request, as an idle state's way out may look as well: then holding the latency takes it away.
#[test]
fn growth_that_goes_with_idling_is_no_share_of_the_request() {
    let told = |held: f64| {
        let [base, shorter, longer, hold] = &cells(3)[..] else { unreachable!("four cells") };
        let of =
            |cell: &Cell, us| Cell { pattern: Pattern::fixed(Nanos::from_micros(us)), id: cell.id, ..base.clone() };
        let conditions = Conditions { latency_hold: Some(Nanos::ZERO), ..base.conditions.clone() };
        let hold = Cell { conditions, id: hold.id, ..base.clone() };
        let all = vec![base.clone(), of(shorter, 250), of(longer, 4_000), hold];
        let found = intervene(&record(all, 6, MOODY, |cell| [0.0, -30.0, 120.0, held][cell as usize], 11)).unwrap();
        found.readings.iter().any(|reading| reading.cause == Cause::ProportionalSlack)
    };
    assert!(told(0.0));
    assert!(!told(-45.0));
}

#[test]
fn the_same_recording_says_the_same_again() {
    let recording = record(cells(3), 2, MOODY, |_| 0.0, 4);
    assert_eq!(intervene(&recording), intervene(&recording));
}
