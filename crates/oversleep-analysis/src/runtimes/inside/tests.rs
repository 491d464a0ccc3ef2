//! Simulated runtimes with work of their own, and with code that runs for the first time.

use super::super::document::{ApiContext, judge, judge_loaded};
use super::super::planted::{Planted, run};
use super::super::points::{Point, RequestSeries, median};
use super::super::random_tests::{Random, SCALES, delayed};
use super::at_least_by_chance;
use oversleep_recording::document::runtimes::{Mechanism, RuntimeMechanism};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const STARTS_COLD: ApiContext<'_> = ApiContext { own_slack: None, proved: None, told: &[], starts_cold: true };

/// Returns these sleeps delayed by turns of a loop, one of which is always waited for, and the usual delay.
fn with_load(without: &[RequestSeries], seed: u64) -> (Vec<RequestSeries>, f64) {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut delays = Vec::new();
    let mut loaded = without.to_vec();
    for point in loaded.iter_mut().flat_map(|of| &mut of.points) {
        let delay = random.random_range(200e3..800e3);
        point.end += delay;
        delays.push(delay);
    }
    (loaded, median(delays))
}

/// Delays the first 20 sleeps, each less than the one before. Returns the usual delay of the first five.
fn make_cold(api: &mut [RequestSeries]) -> f64 {
    let delay = |place: i32| 3e6 * 0.85_f64.powi(place);
    for (point, place) in api[0].points.iter_mut().zip(0..20) {
        point.end += delay(place);
    }
    delay(2)
}

/// Returns whether this alone was found, sized within 10 %: beside busy threads the sleeps have other delays, too.
fn is(found: &[RuntimeMechanism], mechanism: Mechanism, size: f64) -> bool {
    let [only] = found else { return false };
    only.mechanism == mechanism && (only.size.as_f64() - size).abs() <= 0.1 * size
}

#[test]
fn load_inside_is_named_and_sized_by_the_turns_without_it_and_nothing_else_is_said() {
    for (beside, seed) in [(false, 1), (true, 1), (false, 2), (true, 2), (false, 3), (true, 3)] {
        let (without, native) = run(Planted::Nothing, beside, seed);
        let (loaded, size) = with_load(&without, seed);
        let (found, open) = judge_loaded(&loaded, &without, &native, false, ApiContext::default());
        assert!(is(&found, Mechanism::BusyInside, size), "beside {beside}, seed {seed}: {size} {found:?} {open:?}");
        assert_eq!(open, None, "beside {beside}, seed {seed}");
    }
}

/// Latenesses without a rule, some of which are very long, with and without load.
#[test]
fn load_inside_is_named_and_sized_also_if_sleeps_are_late_at_random() {
    for kind in Random::ALL {
        for (scale, seed) in [(0.1e6, 1), (0.1e6, 2), (0.3e6, 1), (0.3e6, 2)] {
            let (without, native) = delayed(kind, scale, false, seed);
            let (loaded, size) = with_load(&delayed(kind, scale, false, seed + 10).0, seed);
            let (found, _) = judge_loaded(&loaded, &without, &native, false, ApiContext::default());
            let [only] = &found[..] else { panic!("{kind:?} {scale} {seed}: {found:?}") };
            let error = (only.size.as_f64() - size).abs();
            let is_it = only.mechanism == Mechanism::BusyInside && error <= 0.25 * size;
            assert!(is_it, "{kind:?} {scale} {seed}: {size} {found:?}");
        }
    }
}

#[test]
fn load_whose_delays_are_seldom_very_long_is_named_and_sized() {
    for seed in 1..=5 {
        let (without, native) = run(Planted::Nothing, seed % 2 == 0, seed);
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut loaded = without.clone();
        let mut delays = Vec::new();
        for point in loaded.iter_mut().flat_map(|of| &mut of.points) {
            let delay = 0.2e6 * Random::HeavyTail.draw(&mut random);
            point.end += delay;
            delays.push(delay);
        }
        let (found, open) = judge_loaded(&loaded, &without, &native, false, ApiContext::default());
        assert!(is(&found, Mechanism::BusyInside, median(delays)), "seed {seed}: {found:?} {open:?}");
    }
}

/// Sleeps that are late at random, and as late without load.
#[test]
fn load_that_changes_nothing_is_not_named_where_sleeps_are_late_at_random() {
    let mut wrong = Vec::new();
    for kind in Random::ALL {
        for scale in SCALES {
            for (busy, seed) in [(false, 1), (false, 2), (true, 1), (true, 2)] {
                let (without, native) = delayed(kind, scale, busy, seed);
                let (loaded, _) = delayed(kind, scale, busy, seed + 10);
                let (found, _) = judge_loaded(&loaded, &without, &native, false, ApiContext::default());
                if !found.is_empty() {
                    wrong.push(format!("{kind:?} of {scale}, busy {busy}, seed {seed}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn load_that_changes_nothing_is_not_named_however_late_the_sleeps_are() {
    for rule in [Planted::Nothing, Planted::Adds, Planted::YieldsFirst, Planted::RoundsUp] {
        let (without, native) = run(rule, true, 1);
        let (loaded, _) = run(rule, true, 2);
        let named = |found: &[RuntimeMechanism]| found.iter().map(|one| one.mechanism).collect::<Vec<_>>();
        let (found, open) = judge_loaded(&loaded, &without, &native, false, ApiContext::default());
        let (alone, open_alone) = judge(&without, &native, false, ApiContext::default());
        assert_eq!((named(&found), open), (named(&alone), open_alone), "{rule:?}");
    }
}

#[test]
fn rules_are_stated_with_load_as_far_as_sleeps_with_load_keep_them() {
    let (without, native) = run(Planted::RoundsUp, false, 1);
    let (kept, _) = with_load(&without, 1);
    let (found, _) = judge_loaded(&kept, &without, &native, false, ApiContext::default());
    let named: Vec<_> = found.iter().map(|one| one.mechanism).collect();
    assert_eq!(named, [Mechanism::RoundedUp, Mechanism::BusyInside]);
    // A busy loop never waits, so nothing is rounded.
    let (plain, _) = run(Planted::Nothing, false, 1);
    let (lost, size) = with_load(&plain, 1);
    let (found, open) = judge_loaded(&lost, &without, &native, false, ApiContext::default());
    assert!(is(&found, Mechanism::BusyInside, size) && open.is_none(), "{found:?} {open:?}");
}

#[test]
fn first_use_is_named_by_first_sleeps_whose_delay_decays() {
    for (beside, seed) in [(false, 1), (true, 1), (false, 2), (true, 2), (false, 3), (true, 3)] {
        let (mut api, native) = run(Planted::Nothing, beside, seed);
        let size = make_cold(&mut api);
        let (found, open) = judge(&api, &native, false, STARTS_COLD);
        assert!(is(&found, Mechanism::FirstUse, size), "beside {beside}, seed {seed}: {found:?} {open:?}");
        assert_eq!(judge(&api, &native, false, ApiContext::default()).0, [], "its code is loaded before it starts");
    }
}

#[test]
fn first_use_is_named_by_a_first_sleep_that_is_the_latest_of_all() {
    for (beside, delay, is_named) in [(false, 2e6, true), (true, 5e6, true), (true, 1e6, false), (false, 30e3, false)] {
        let (mut api, native) = run(Planted::Nothing, beside, 1);
        api[0].points[0].end += delay;
        let (found, _) = judge(&api, &native, false, STARTS_COLD);
        assert_eq!(is(&found, Mechanism::FirstUse, delay), is_named, "{beside} {delay}: {found:?}");
    }
}

#[test]
fn what_begins_every_block_or_does_not_decay_is_no_first_use() {
    let named = |spoil: fn(&mut Point)| {
        let (mut api, native) = run(Planted::Nothing, false, 1);
        api.iter_mut().flat_map(|of| &mut of.points).for_each(spoil);
        let (found, _) = judge(&api, &native, false, STARTS_COLD);
        found.iter().any(|one| one.mechanism == Mechanism::FirstUse)
    };
    assert!(named(|point| point.end += if point.turn == 0 && point.index < 5 { 2e6 } else { 0.0 }));
    assert!(!named(|point| point.end += if point.index < 5 { 2e6 } else { 0.0 }));
    assert!(!named(|point| point.end += if point.turn == 0 && point.index < 20 { 2e6 } else { 0.0 }));
    assert!(!named(|_| {}));
}

#[test]
fn the_probability_of_heads_is_exact() {
    for (n, heads, wanted) in [(6, 6, 1.0 / 64.0), (6, 5, 7.0 / 64.0), (4, 2, 11.0 / 16.0), (3, 0, 1.0), (0, 0, 1.0)] {
        assert!((at_least_by_chance(n, heads) - wanted).abs() < 1e-12, "{n} {heads}");
    }
    assert!(at_least_by_chance(24, 17) > 0.03 && at_least_by_chance(24, 18) < 0.012);
}
