//! Nothing false is said of recordings that were once misread (see `truth`).

use crate::truth::{self, reliability};

/// The seed; `OVERSLEEP_SEEDS=7` makes another.
fn seed() -> u64 {
    std::env::var("OVERSLEEP_SEEDS").ok().and_then(|seed| seed.split(',').next()?.parse().ok()).unwrap_or(1)
}

fn each() -> usize {
    std::env::var("OVERSLEEP_EACH").ok().and_then(|each| each.parse().ok()).unwrap_or(8)
}

#[test]
fn tables_made_by_hand() {
    let tally = truth::run(truth::TABLES, seed(), each());
    assert!(tally.wrong * 100 <= tally.all(), "{tally:?}");
}

#[test]
fn awkward_designs() {
    let tally = truth::run(truth::KERNELS, seed(), each());
    assert!(tally.wrong * 100 <= tally.all(), "{tally:?}");
}

#[test]
fn confidence_is_the_share_that_is_so() {
    let seed = if seed() == 1 { 9_001 } else { seed() };
    let statements = reliability::statements(seed, 24 * each(), each() / 2);
    println!("{}", reliability::table(&statements));
    assert!(reliability::calibration_error(&statements) <= 0.05);
}
