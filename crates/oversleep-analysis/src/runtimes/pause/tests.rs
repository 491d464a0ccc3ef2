//! Simulated collections of a known length, in sleeps that a scheduler delays.

use super::*;
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const MS: f64 = 1e6;

/// A scheduler that delays every sleep by `always` ns, and this share of them by up to 4 ms more.
#[derive(Debug, Clone, Copy)]
struct Scheduler {
    always: f64,
    delayed: f64,
}

impl Scheduler {
    fn delay(self, random: &mut Pcg64Mcg) -> f64 {
        let usual = self.always + random.random_range(0.0..5e3);
        if random.random_bool(self.delayed) { usual + random.random_range(0.0..4.0 * MS) } else { usual }
    }
}

/// Simulates sleeps of these durations (ns), one after another, and a collection of `length` about once a second.
fn run(durations: &[f64], count: usize, length: f64, scheduler: Scheduler, seed: u64) -> Vec<RequestSeries> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut now = 0.0;
    let mut next = random.random_range(0.0..1e9);
    let mut sleeps = |&requested: &f64| {
        let mut point = || {
            let start = now;
            let mut end = start + requested + scheduler.delay(&mut random);
            let collected = next < end;
            if collected {
                end = end.max(next + length + scheduler.delay(&mut random));
                next += random.random_range(0.5e9..1.5e9);
            }
            now = end;
            Point { requested, start, end, tick_before: None, turn: 0, index: 0, collected }
        };
        RequestSeries { requested: Nanos::from_f64(requested), points: (0..count).map(|_| point()).collect() }
    };
    durations.iter().map(&mut sleeps).collect()
}

/// Returns the length found.
fn found(series: &[RequestSeries]) -> f64 {
    pause(series, Point::lateness, |point| point.requested).map_or(f64::NAN, |(length, _)| length)
}

/// Returns the largest error of 100 runs.
fn largest_error(durations: &[f64], count: usize, length: f64, scheduler: Scheduler) -> f64 {
    let error = |seed| (found(&run(durations, count, length, scheduler, seed)) - length).abs();
    (0..100).map(error).fold(0.0, f64::max)
}

#[test]
fn a_pause_is_sized_within_five_percent_also_if_the_scheduler_delays_every_third_sleep() {
    for delayed in [0.0, 0.06, 0.3] {
        let scheduler = Scheduler { always: 0.0, delayed };
        let error = largest_error(&[0.1 * MS, MS, 1.5 * MS, 5.0 * MS], 2_000, 20.0 * MS, scheduler);
        assert!(error <= MS, "{delayed}: {error}");
    }
}

#[test]
fn what_the_scheduler_adds_to_every_sleep_is_taken_off() {
    let error = largest_error(&[1.5 * MS], 5_000, 20.0 * MS, Scheduler { always: 2.0 * MS, delayed: 0.0 });
    assert!(error <= MS, "{error}");
}

#[test]
fn a_pause_that_is_shorter_than_most_sleeps_is_sized_too() {
    let error = largest_error(&[1.5 * MS, 5.0 * MS], 5_000, 3.0 * MS, Scheduler { always: 0.0, delayed: 0.06 });
    assert!(error <= MS, "{error}");
}

#[test]
fn one_pause_of_another_length_does_not_move_the_others() {
    let mut series = run(&[1.5 * MS], 10_000, 20.0 * MS, Scheduler { always: 0.0, delayed: 0.06 }, 1);
    let longer = series[0].points.iter_mut().find(|point| point.collected).expect("several");
    longer.end += 60.0 * MS;
    let error = (found(&series) - 20.0 * MS).abs();
    assert!(error < 0.5 * MS, "{error}");
}

#[test]
fn two_collections_size_nothing() {
    let series = run(&[1.5 * MS], 1_200, 20.0 * MS, Scheduler { always: 0.0, delayed: 0.0 }, 1);
    assert!(series[0].points.iter().filter(|point| point.collected).count() < FEWEST);
    assert_eq!(pause(&series, Point::lateness, |point| point.requested), None);
}

/// Three short collections in the middle of sleeps of 1.5 and 16.67 ms, one of which was delayed by something else.
#[test]
fn collections_that_delay_nothing_are_not_named() {
    let mut series = run(&[1.5 * MS, 16.67 * MS], 300, 20.0 * MS, Scheduler { always: 0.0, delayed: 0.02 }, 1);
    for of in &mut series {
        let requested = of.requested.as_f64();
        let points = of.points.iter_mut();
        points.filter(|point| point.collected).for_each(|point| {
            point.collected = false;
            point.end = point.start + requested;
        });
    }
    for (of, at) in [(0, 1), (1, 79), (1, 268)] {
        let point = &mut series[of].points[at];
        point.collected = true;
        point.end = point.start + point.requested + if at == 79 { 490e3 } else { 2e3 };
    }
    assert_eq!(pause(&series, Point::lateness, |point| point.requested), None);
}
