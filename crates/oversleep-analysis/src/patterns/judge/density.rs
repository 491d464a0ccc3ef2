//! How well a model predicts values that it was not fitted to: their log density, learnt from the other half of them.

use crate::patterns::features::group::Sleep;
use crate::patterns::features::robust::{median, spread};
use std::f64::consts::PI;

/// Weight of the broad part of a density: outliers cost a model some nats, but do not decide.
const ANYWHERE: f64 = 0.04;
/// Narrowest width of a density, in ns: clocks are read no more exactly.
const NARROWEST: f64 = 250.0;
/// Most widths tried, each twice the one before.
const WIDTHS: i32 = 16;

/// A density learnt from values: a box around each of them, and a broad part (Cauchy) for outliers.
struct Density {
    sorted: Vec<f64>,
    half: f64,
    centre: f64,
    scale: f64,
}

impl Density {
    /// Learns a density; its boxes have the width under which each value is likeliest given the others.
    fn learn(values: &[f64], narrowest: f64) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let centre = median(&sorted)?;
        let scale = spread(&sorted, centre).max(2.0 * narrowest);
        let mut best = Self { sorted, half: narrowest, centre, scale };
        let mut most = f64::NEG_INFINITY;
        let mut half = narrowest;
        let range = best.sorted.last()? - best.sorted.first()?;
        for _ in 0..WIDTHS {
            let own: f64 = best.sorted.iter().map(|&value| best.log(value, half, 1)).sum();
            if own > most {
                (most, best.half) = (own, half);
            }
            half *= 2.0;
            if half > range.max(narrowest) {
                break;
            }
        }
        Some(best)
    }

    /// Returns the log density at a value, with `own` of the values around it left out.
    fn log(&self, value: f64, half: f64, own: usize) -> f64 {
        let from = self.sorted.partition_point(|other| *other < value - half);
        let to = self.sorted.partition_point(|other| *other <= value + half);
        let near = (to - from).saturating_sub(own) as f64;
        let boxes = near / (self.sorted.len().saturating_sub(own).max(1) as f64 * 2.0 * half);
        let far = (value - self.centre) / self.scale;
        let broad = 1.0 / (PI * self.scale * (1.0 + far * far));
        ((1.0 - ANYWHERE) * boxes + ANYWHERE * broad).ln()
    }

    fn at(&self, value: f64) -> f64 {
        self.log(value, self.half, 0)
    }
}

/// Returns whether the value at this index belongs to the first half, which has every other value.
pub(super) const fn first_half(at: usize) -> bool {
    at.is_multiple_of(2)
}

/// Returns the narrowest width of a density, in ns. Where several requests are compared it is the step in which stamps
/// were read. For a single request it is the narrowest of all, so that a rate's multiples lose more.
pub(super) fn step(sleeps: &[Sleep]) -> f64 {
    if sleeps.iter().all(|sleep| sleep.view == sleeps[0].view) {
        return NARROWEST;
    }
    let all = |step: &f64| sleeps.iter().all(|sleep| sleep.end % step == 0.0);
    [1e6, 1e5, 1e4, 1e3].into_iter().find(all).unwrap_or(0.0).max(NARROWEST)
}

/// Returns the log density (nats) of each value, learnt from the other half of the values, summed. `narrowest`: the
/// narrowest width of a density, in ns.
pub(super) fn held_out(values: &[f64], narrowest: f64) -> f64 {
    let half = |first: bool| -> Vec<f64> {
        values.iter().enumerate().filter(|(at, _)| first_half(*at) == first).map(|(_, value)| *value).collect()
    };
    let halves = [half(true), half(false)];
    let score = |learnt: &[f64], tried: &[f64]| {
        Density::learn(learnt, narrowest).map_or(0.0, |density| tried.iter().map(|&value| density.at(value)).sum())
    };
    score(&halves[0], &halves[1]) + score(&halves[1], &halves[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn a_narrow_density_predicts_better_than_a_broad_one() {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(3);
        let narrow: Vec<f64> = (0..200).map(|_| random.random_range(0.0..5e3)).collect();
        let broad: Vec<f64> = (0..200).map(|_| random.random_range(0.0..5e6)).collect();
        // The difference per value is ln 1000.
        let gain = (held_out(&narrow, NARROWEST) - held_out(&broad, NARROWEST)) / 200.0;
        assert!((gain - 1000f64.ln()).abs() < 0.5, "{gain}");
    }

    #[test]
    fn one_wild_value_costs_little() {
        let mut values: Vec<f64> = (0..100).map(|at| f64::from(at % 10) * 1e3).collect();
        let before = held_out(&values, NARROWEST);
        values[40] = 1e8;
        assert!(before - held_out(&values, NARROWEST) < 40.0);
    }
}
