//! Simulated runtimes with work of their own, and with code that is compiled after some calls.

use super::super::document::{Known, judge};
use super::super::planted::{Planted, run};
use super::super::points::{Point, Series, median};
use oversleep_recording::document::runtimes::{Mechanism, RuntimeMechanism};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const BUSY: Known = Known { own_slack: None, proved: None, load_inside: true, compiles: false };
const COMPILES: Known = Known { own_slack: None, proved: None, load_inside: false, compiles: true };

/// Makes sleeps end when one of the callbacks that run in turn is over: up to 0.8 ms later. Returns the usual delay.
fn make_busy(api: &mut [Series], seed: u64) -> f64 {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut delays = Vec::new();
    for point in api.iter_mut().flat_map(|of| &mut of.points) {
        let delay = random.random_range(0.0..800e3);
        point.end += delay;
        delays.push(delay);
    }
    median(delays)
}

/// Delays the first 20 sleeps, each less than the one before. Returns the usual delay of the first five.
fn make_compile(api: &mut [Series]) -> f64 {
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
fn a_runtime_known_to_be_busy_is_named_and_sized_and_nothing_else_is_said() {
    for (beside, seed) in [(false, 1), (true, 1), (false, 2), (true, 2), (false, 3), (true, 3)] {
        let (mut api, native) = run(Planted::Nothing, beside, seed);
        let size = make_busy(&mut api, seed);
        let (found, open) = judge(&api, &native, false, BUSY);
        assert!(is(&found, Mechanism::BusyInside, size), "beside {beside}, seed {seed}: {size} {found:?} {open:?}");
        assert_eq!(open, None, "beside {beside}, seed {seed}");
        let (found, _) = judge(&api, &native, false, Known::default());
        assert!(found.iter().all(|one| one.mechanism != Mechanism::BusyInside), "nothing tells of a load: {found:?}");
    }
}

#[test]
fn a_load_explains_neither_a_rule_nor_sleeps_on_time() {
    for rule in [Planted::RoundsUp, Planted::Adds, Planted::Nothing] {
        let (mut api, native) = run(rule, false, 1);
        if rule != Planted::Nothing {
            make_busy(&mut api, 1);
        }
        let (found, open) = judge(&api, &native, false, BUSY);
        assert!(found.iter().all(|one| one.mechanism != Mechanism::BusyInside), "{rule:?}: {found:?}");
        assert_eq!(open.is_some(), rule != Planted::Nothing, "{rule:?}: {open:?} {found:?}");
    }
}

#[test]
fn compilation_is_named_by_first_sleeps_whose_delay_decays() {
    for (beside, seed) in [(false, 1), (true, 1), (false, 2), (true, 2), (false, 3), (true, 3)] {
        let (mut api, native) = run(Planted::Nothing, beside, seed);
        let size = make_compile(&mut api);
        let (found, open) = judge(&api, &native, false, COMPILES);
        assert!(is(&found, Mechanism::JustInTimeCompilation, size), "beside {beside}, seed {seed}: {found:?} {open:?}");
        assert_eq!(judge(&api, &native, false, Known::default()).0, [], "it has no such compiler");
    }
}

#[test]
fn what_begins_every_block_or_does_not_decay_is_no_compilation() {
    let named = |spoil: fn(&mut Point)| {
        let (mut api, native) = run(Planted::Nothing, false, 1);
        api.iter_mut().flat_map(|of| &mut of.points).for_each(spoil);
        let (found, _) = judge(&api, &native, false, COMPILES);
        found.iter().any(|one| one.mechanism == Mechanism::JustInTimeCompilation)
    };
    assert!(named(|point| point.end += if point.turn == 0 && point.index < 5 { 2e6 } else { 0.0 }));
    assert!(!named(|point| point.end += if point.index < 5 { 2e6 } else { 0.0 }));
    assert!(!named(|point| point.end += if point.turn == 0 && point.index < 20 { 2e6 } else { 0.0 }));
    assert!(!named(|_| {}));
}
