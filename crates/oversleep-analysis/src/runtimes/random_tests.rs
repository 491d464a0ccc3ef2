//! Sleeps that are late at random: no rule predicts them, so none may be named.

use super::document::{ApiContext, judge};
use super::planted::{Planted, run};
use super::points::RequestSeries;
use oversleep_recording::document::runtimes::{Mechanism, RuntimeMechanism};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Lateness that follows no rule, in units of a scale.
#[derive(Debug, Clone, Copy)]
pub(super) enum Random {
    /// Anything up to the scale.
    Uniform,
    /// Nothing or the scale.
    Bimodal,
    /// Nothing for nine in ten, or the scale.
    Rare,
    /// Short delays often, long ones seldom.
    Exponential,
    /// One or three times the scale.
    OneOrThree,
    /// Nothing, once or three times the scale.
    NothingOneOrThree,
    /// Either of two ranges.
    TwoRanges,
    /// About the scale, and seldom many times that.
    HeavyTail,
    /// Twice or five times the scale, each with a scatter.
    TwoOrFive,
}

impl Random {
    pub(super) const ALL: [Self; 9] = [
        Self::Uniform,
        Self::Bimodal,
        Self::Rare,
        Self::Exponential,
        Self::OneOrThree,
        Self::NothingOneOrThree,
        Self::TwoRanges,
        Self::HeavyTail,
        Self::TwoOrFive,
    ];

    pub(super) fn draw(self, random: &mut Pcg64Mcg) -> f64 {
        let any: f64 = random.random_range(0.0..1.0);
        let half = random.random_range(0..2) == 0;
        match self {
            Self::Uniform => any,
            Self::Bimodal => f64::from(u8::from(half)),
            Self::Rare => f64::from(u8::from(any < 0.1)),
            Self::Exponential => -(1.0 - any).ln(),
            Self::OneOrThree => [1.0, 3.0][usize::from(half)],
            Self::NothingOneOrThree => [0.0, 1.0, 3.0][random.random_range(0..3_usize)],
            Self::TwoRanges => any * 0.3 + [0.0, 2.0][usize::from(half)],
            Self::HeavyTail => (1.0 - any).powf(-0.7),
            Self::TwoOrFive => any * 0.2 + [2.0, 5.0][usize::from(half)],
        }
    }
}

/// Returns the sleeps of a runtime without rules, delayed at random, and of its primitive.
pub(super) fn delayed(kind: Random, scale: f64, busy: bool, seed: u64) -> (Vec<RequestSeries>, Vec<RequestSeries>) {
    let mut random = Pcg64Mcg::seed_from_u64(seed ^ 0x5eed);
    let (mut api, native) = run(Planted::Nothing, busy, seed);
    delay_each(&mut api, |_| scale * kind.draw(&mut random));
    (api, native)
}

/// Delays each sleep by what `delay` returns for its end. The next one begins when this one has ended, as in a runtime.
pub(super) fn delay_each(series: &mut [RequestSeries], mut delay: impl FnMut(f64) -> f64) {
    let mut shift = 0.0;
    let mut all: Vec<_> = series.iter_mut().flat_map(|of| &mut of.points).collect();
    all.sort_by(|a, b| a.start.total_cmp(&b.start));
    for point in all {
        point.start += shift;
        point.end += shift;
        let more = delay(point.end);
        point.end += more;
        shift += more;
    }
}

fn names(found: &[RuntimeMechanism]) -> Vec<(Mechanism, i64)> {
    found.iter().map(|found| (found.mechanism, found.size.get())).collect()
}

pub(super) const SCALES: [f64; 6] = [0.1e6, 0.3e6, 1e6, 2e6, 4e6, 16e6];

/// Calls `check` with each kind of random lateness at each scale, on a quiet machine and a busy one, with three seeds.
fn each(mut check: impl FnMut(Vec<RequestSeries>, Vec<RequestSeries>) -> Vec<(Mechanism, i64)>) {
    let mut wrong = Vec::new();
    for kind in Random::ALL {
        for scale in SCALES {
            for (busy, seed) in [(false, 1), (false, 2), (false, 3), (true, 1), (true, 2), (true, 3)] {
                let (api, native) = delayed(kind, scale, busy, seed);
                let found = check(api, native);
                if !found.is_empty() {
                    wrong.push(format!("{kind:?} of {scale}, busy {busy}, seed {seed}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_lateness_names_no_rule() {
    for own_slack in [None, Some(1.0)] {
        let known = ApiContext { own_slack, ..ApiContext::default() };
        each(|api, native| names(&judge(&api, &native, false, known).0));
    }
}

/// Of a program whose first sleeps count, only the first one may be named: one of some hundred is the latest by chance.
#[test]
fn random_lateness_of_a_cold_start_is_no_decay() {
    let known = ApiContext { starts_cold: true, ..ApiContext::default() };
    each(|api, native| {
        let found = judge(&api, &native, false, known).0;
        let by_chance = |one: &RuntimeMechanism| one.mechanism == Mechanism::FirstUse && one.sleeps == 1;
        names(&found.into_iter().filter(|one| !by_chance(one)).collect::<Vec<_>>())
    });
}

/// Collections in sleeps chosen at random delay nothing.
#[test]
fn random_lateness_is_no_collection() {
    let mut random = Pcg64Mcg::seed_from_u64(9);
    each(|mut api, native| {
        for point in api.iter_mut().flat_map(|of| &mut of.points) {
            point.collected = random.random_range(0..8) == 0;
        }
        names(&judge(&api, &native, false, ApiContext::default()).0)
    });
}
