//! Weighs models against each other: those that predict equally well are reported together.

use super::ticks::Scored;
use crate::patterns::features::grid::{COMMON, NOMINAL};
use crate::patterns::features::rounding::Rounding;

/// Share of the total weight from which a rate or a rule is named alone.
const NAMED: f64 = 0.965;
/// The same where another rate predicts the samples as well, to this many nats: how usual rates are does not decide alone.
const NAMED_BY_USE: f64 = 0.98;
const AS_WELL: f64 = 3.0;
/// Share below which a rate or a rule is not listed.
const LISTED: f64 = 0.004;

/// Resolutions of Windows' timers, as rates in Hz.
const OF_WINDOWS: [f64; 4] = [64.0, 100.0, 1000.0, 2000.0];

/// Returns the weight of a rate before any sample: nearly every machine has one of four (on Windows, one of its timer's
/// resolutions), and few have one that no kernel is known to be built with.
pub(super) fn usual_rate(hz: f64, from_last: Option<bool>) -> f64 {
    let common: &[f64] = if from_last == Some(true) { &OF_WINDOWS } else { COMMON };
    match (common.contains(&hz), NOMINAL.contains(&hz)) {
        (true, _) => 1.0,
        (false, true) => 0.1,
        (false, false) => 0.01,
    }
}

/// Returns the weight of a rate and a rule before any sample. Most kernels end sleeps at the first tick at or after their
/// time. Only NT counts from the last tick (`from_last`, where the system is known).
fn usual(hz: f64, rule: Option<Rounding>, from_last: Option<bool>) -> f64 {
    let rate = usual_rate(hz, from_last);
    rate * match (rule, from_last) {
        (Some(Rounding::Early), Some(false)) => 0.001,
        (Some(Rounding::Up), Some(true)) | (Some(Rounding::Early), None) | (None, _) => 0.1,
        (Some(Rounding::Early), Some(true)) | (Some(Rounding::Up), _) => 1.0,
        (Some(Rounding::UpPlusOne), Some(true)) => 0.03,
        (Some(Rounding::UpPlusOne), _) => 0.3,
    }
}

/// Share of the sleeps whose tick a rule must predict to be listed.
const PREDICTED: f64 = 0.5;

/// The rates and rules that the samples leave.
#[derive(Debug, Clone)]
pub(super) struct Left {
    /// The likeliest model.
    pub(super) best: Scored,
    /// The remaining rates in Hz, the likeliest first, with their shares of the weight.
    pub(super) rates: Vec<(f64, f64)>,
    /// Whether another rate predicts the samples as well as the best.
    rivalled: bool,
    /// The remaining rules with the likeliest rate, likewise.
    pub(super) rules: Vec<(Rounding, f64)>,
}

impl Left {
    /// Returns the rate, if only one is left.
    pub(super) fn hz(&self) -> Option<f64> {
        let least = if self.rivalled { NAMED_BY_USE } else { NAMED };
        self.rates.first().filter(|(_, share)| *share >= least).map(|(hz, _)| *hz)
    }

    /// Returns the rule, if only one is left.
    pub(super) fn rule(&self) -> Option<Rounding> {
        self.rules.first().filter(|(_, share)| *share >= NAMED).map(|(rule, _)| *rule)
    }
}

/// Weighs models by how well they predict and how usual they are. `None` without models.
pub(super) fn weigh(models: &[Scored], from_last: Option<bool>) -> Option<Left> {
    let weight = |model: &Scored| model.score + usual(model.hz, model.rule, from_last).ln();
    let best = *models.iter().max_by(|a, b| weight(a).total_cmp(&weight(b)))?;
    let relative = |model: &Scored| (weight(model) - weight(&best)).exp();
    let all: f64 = models.iter().map(relative).sum();
    let mut rates: Vec<(f64, f64)> = Vec::new();
    for model in models {
        let share = relative(model) / all;
        match rates.iter_mut().find(|(hz, _)| (hz - model.hz).abs() < 1e-9) {
            Some((_, sum)) => *sum += share,
            None => rates.push((model.hz, share)),
        }
    }
    rates.sort_by(|a, b| b.1.total_cmp(&a.1));
    rates.retain(|(_, share)| *share >= LISTED);
    let candidates = || models.iter().filter(|model| (model.hz - best.hz).abs() < 1e-9 && model.predicted >= PREDICTED);
    let first = candidates().map(&weight).fold(f64::NEG_INFINITY, f64::max);
    let beside = |model: &Scored| (weight(model) - first).exp();
    let of_rate: f64 = candidates().map(beside).sum();
    // The same rule on two grids of a rate counts once.
    let mut rules: Vec<(Rounding, f64)> = Vec::new();
    for (rule, share) in candidates().filter_map(|model| Some((model.rule?, beside(model) / of_rate))) {
        match rules.iter_mut().find(|(other, _)| *other == rule) {
            Some((_, sum)) => *sum += share,
            None => rules.push((rule, share)),
        }
    }
    rules.sort_by(|a, b| b.1.total_cmp(&a.1));
    rules.retain(|(_, share)| *share >= LISTED);
    let rivals = |model: &Scored| (model.hz - best.hz).abs() > 1e-9 && model.score > best.score - AS_WELL;
    Some(Left { best, rates, rivalled: models.iter().any(rivals), rules })
}
