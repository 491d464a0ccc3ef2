//! Recordings of kernels that share no code with our simulator (see `foreign`), and the rates of single causes.

use crate::depth;
use crate::foreign::{self, judge::Score};
use crate::rates;

/// Returns the score of one run; `OVERSLEEP_SEEDS=1,2,3` selects other runs instead.
fn run(noisy: bool) -> Score {
    let chosen = std::env::var("OVERSLEEP_SEEDS").unwrap_or_else(|_| "11".into());
    let mut all = Score::default();
    for seed in chosen.split(',').filter_map(|seed| seed.parse().ok()) {
        all.join(&foreign::run(seed, noisy, true));
    }
    println!("{}", all.table());
    all
}

#[test]
fn strange_kernels_quiet() {
    let score = run(false);
    assert!(score.clean * 100 >= score.recordings * 98, "{}", score.table());
    assert!(score.with_foreign * 100 <= score.recordings, "{}", score.table());
}

#[test]
fn strange_kernels_noisy() {
    let score = run(true);
    assert!(score.clean * 100 >= score.recordings * 97, "{}", score.table());
    assert!(score.with_foreign * 100 <= score.recordings, "{}", score.table());
}

#[test]
fn the_sawtooth_has_its_slope_and_sign() {
    let (quiet, noisy) = (rates::sawtooth(depth::scaled(50), false), rates::sawtooth(depth::scaled(50), true));
    assert!(quiet.right * 100 >= quiet.of * 97, "{quiet:?}");
    assert!(noisy.right * 100 >= noisy.of * 94, "{noisy:?}");
}

#[test]
fn slack_in_proportion_is_found_where_it_is() {
    for noisy in [false, true] {
        let rate = rates::proportional(depth::scaled(42), noisy);
        assert_eq!(rate.right + rate.without - rate.false_alarms, depth::scaled(42), "{rate:?}");
    }
}

#[test]
fn cached_clocks_are_found_where_they_are() {
    for noisy in [false, true] {
        let rate = rates::cached(depth::scaled(40), noisy);
        assert_eq!(rate.false_alarms, 0, "{rate:?}");
        assert!(rate.right * 10 >= rate.of * 9, "{rate:?}");
    }
}

#[test]
fn daemons_are_found_by_their_period() {
    let rate = rates::daemon(depth::scaled(24), false);
    assert_eq!(rate.false_alarms, 0, "{rate:?}");
    assert!(rate.right * 110 >= rate.of * 95, "{rate:?}");
}
