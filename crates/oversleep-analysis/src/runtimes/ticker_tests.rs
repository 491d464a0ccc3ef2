//! Simulated tickers: schedules whose waits are rounded, and schedules that are late at random.

use super::document::{ApiContext, judge};
use super::planted::REQUESTS;
use super::points::{Point, RequestSeries};
use super::schedule::settled;
use oversleep_recording::document::runtimes::{Mechanism, RuntimeMechanism};
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const MS: f64 = 1e6;

/// Simulates six blocks of ticks of each request, and the primitive's sleeps between them. `wait` returns when a tick is
/// seen that is due at its first argument, by a runtime that begins to wait at its second.
fn ticks(
    random: &mut Pcg64Mcg,
    native: impl Fn(&mut Pcg64Mcg) -> f64,
    wait: impl Fn(f64, f64, &mut Pcg64Mcg) -> f64,
) -> (Vec<RequestSeries>, Vec<RequestSeries>) {
    let empty = |requested: f64| RequestSeries { requested: Nanos::from_f64(requested), points: Vec::new() };
    let (mut api, mut beside) = (REQUESTS.map(empty), REQUESTS.map(empty));
    let (mut now, mut turn) = (1e15, 0);
    for _ in 0..6 {
        for (at, &requested) in REQUESTS.iter().enumerate() {
            let origin = now;
            let mut due = origin + requested;
            for index in 0..50_u32 {
                let (start, tick_before) = (origin + f64::from(index) * requested, Some(now));
                let end = wait(due, now, random).max(now + 1e3);
                // Go leaves out the ticks for which it is too late.
                due += requested * (1.0 + ((end - due) / requested).floor().max(0.0));
                let index = index.into();
                api[at].points.push(Point { requested, start, end, tick_before, turn, index, collected: false });
                now = end;
            }
            for index in 0..17 {
                let (start, end) = (now, now + requested + native(random));
                let turn = turn + 1;
                beside[at].points.push(Point {
                    requested,
                    start,
                    end,
                    tick_before: None,
                    turn,
                    index,
                    collected: false,
                });
                now = end;
            }
            turn += 2;
        }
    }
    (api.into(), beside.into())
}

/// Judges the ticks; returns what was found, and what is open.
fn judged((api, beside): (Vec<RequestSeries>, Vec<RequestSeries>)) -> (Vec<RuntimeMechanism>, Option<String>) {
    let (api, rearmed) = settled(api);
    judge(&api, &beside, rearmed, ApiContext::default())
}

/// Returns how late a wait is: by 60 to 90 µs, and beside busy threads sometimes by milliseconds.
fn late(busy: bool, random: &mut Pcg64Mcg) -> f64 {
    let more = if busy && random.random_bool(0.06) { random.random_range(0.0..4.0 * MS) } else { 0.0 };
    random.random_range(60e3..90e3) + more
}

/// Go waits whole milliseconds, as many as fit, and then again for what is left.
#[test]
fn a_ticker_whose_time_left_is_waited_for_in_whole_milliseconds_is_rounded_up() {
    for (busy, seed) in [(false, 1), (false, 2), (false, 3), (true, 1), (true, 2), (true, 3)] {
        let wait = |due: f64, begin: f64, random: &mut Pcg64Mcg| {
            let mut now = begin;
            while now < due {
                now += ((due - now) / MS).floor().max(1.0) * MS + late(busy, random);
            }
            now
        };
        let random = &mut Pcg64Mcg::seed_from_u64(seed);
        let (found, open) = judged(ticks(random, |random| late(busy, random), wait));
        let named: Vec<_> = found.iter().map(|one| (one.mechanism, one.size)).collect();
        assert_eq!((named, open), (vec![(Mechanism::RoundedUp, Nanos::MILLISECOND)], None), "busy {busy}, seed {seed}");
        // One wait that is rounded up would predict the ends less well: often a wait is late enough to be the only one.
        let error = found[0].error_with;
        assert!(busy || error < Nanos::from_micros(12), "seed {seed}: {error}");
    }
}

/// Ticks that are late by anything, or rarely by much, on a schedule that is kept.
#[test]
fn a_schedule_that_is_late_at_random_names_no_rule() {
    let mut wrong = Vec::new();
    for scale in [0.1 * MS, 0.3 * MS, MS, 4.0 * MS, 16.0 * MS] {
        for rare in [1.0, 0.5, 0.1] {
            for seed in 1..=5 {
                let wait = |due: f64, begin: f64, random: &mut Pcg64Mcg| {
                    let more = if random.random_bool(rare) { random.random_range(0.0..scale) } else { 0.0 };
                    due.max(begin) + late(false, random) + more
                };
                let random = &mut Pcg64Mcg::seed_from_u64(seed);
                let (found, _) = judged(ticks(random, |random| late(false, random), wait));
                if !found.is_empty() {
                    wrong.push(format!("{scale} {rare} {seed}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
