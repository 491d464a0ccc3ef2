//! Recordings of kernels that the diagnosis' author did not simulate: see `foreign`.

use crate::foreign::{self, judge::Score};

fn runs(noisy: bool) -> Score {
    let mut all = Score::default();
    let seeds: Vec<u64> = std::env::var("OVERSLEEP_SEEDS")
        .ok()
        .map_or_else(|| vec![11], |seeds| seeds.split(',').filter_map(|seed| seed.parse().ok()).collect());
    for seed in seeds {
        all.join(&foreign::run(seed, noisy, true));
    }
    println!("{}", all.table());
    all
}

#[test]
fn strange_kernels_quiet() {
    let score = runs(false);
    assert!(score.clean * 100 >= score.recordings * 98, "{}", score.table());
    assert!(score.with_foreign * 100 <= score.recordings, "{}", score.table());
}

#[test]
fn strange_kernels_noisy() {
    let score = runs(true);
    assert!(score.clean * 100 >= score.recordings * 98, "{}", score.table());
    assert!(score.with_foreign * 100 <= score.recordings, "{}", score.table());
}
