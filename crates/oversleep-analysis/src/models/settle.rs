//! Fits what a simulation needs beside a diagnosis: the tick's phase, and the cost of a wake-up under a tick.

use super::group::ModelledGroup;
use super::{fit, predict};
use crate::patterns::features::robust::median;
use crate::patterns::features::wheel;
use oversleep_recording::document::evidence::Rounding;
use oversleep_recording::document::{Alternative, Model};
use std::f64::consts::TAU;

/// Costs of a wake-up that are tried under a tick, in ns: the range of the diagnosis' own rounding test.
const COSTS: [f64; 14] = [0.0, 2e3, 4e3, 7e3, 10e3, 15e3, 20e3, 30e3, 40e3, 60e3, 80e3, 110e3, 150e3, 200e3];
/// A cost replaces the one found if it leaves less than this part of its mean square.
const BETTER: f64 = 0.98;
/// Coarsest step of the timer wheel whose counts are tried, in ticks.
const COARSEST: u64 = 64;

/// Returns the model with phase and cost fitted to these sleeps, and the mean square of its residuals, without the
/// largest hundredth. `None` if the model cannot produce sleeps such as these.
pub(super) fn settle(few: &ModelledGroup, model: Model) -> Option<(Model, f64)> {
    if model.queue.is_some() {
        // What each turn adds is small beside a quantum: the median residual is the cost.
        let rests: Vec<f64> =
            predict(few, &model)?.iter().map(|&(late, told)| late.saturating_sub(told) as f64).collect();
        let model = Model { cost: median(&rests)?.clamp(0.0, 1e6), ..model };
        return score(few, &model).map(|left| (model, left));
    }
    let Some(tick) = model.tick else { return score(few, &model).map(|left| (model, left)) };
    let wakes = wakes(few, tick)?;
    let with_cost = |cost: f64| Model { cost, phase: wakes - cost, ..model.clone() };
    let own = with_cost(model.cost);
    let own_left = score(few, &own)?;
    let others = COSTS.iter().filter(|&&cost| cost < 0.5 * tick).map(|&cost| with_cost(cost));
    let best =
        others.filter_map(|other| score(few, &other).map(|left| (other, left))).min_by(|a, b| a.1.total_cmp(&b.1));
    let settled = best.filter(|(_, left)| *left < BETTER * own_left).unwrap_or((own, own_left));
    Some(if settled.0.wheel { counted(few, settled, tick) } else { settled })
}

/// Returns the timer wheel's model with the kernel's tick count that fits best, modulo the coarsest step met.
fn counted(few: &ModelledGroup, settled: (Model, f64), tick: f64) -> (Model, f64) {
    let longest = few.sleeps.iter().map(|sleep| sleep.asked).max().unwrap_or(0) as f64;
    let nominal = settled.0.hz.map_or(tick, |hz| 1e9 / hz);
    let step = u32::try_from(wheel::step(longest / nominal).min(COARSEST)).unwrap_or(1);
    if step == 1 {
        return settled;
    }
    let sparse = few.downsampled(200);
    let with_count = |count: u32| Model { count, ..settled.0.clone() };
    let scored = (0..step).filter_map(|count| score(&sparse, &with_count(count)).map(|left| (count, left)));
    let best = scored.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(count, _)| count);
    let model = with_count(best);
    match score(few, &model) {
        Some(left) if left < settled.1 => (model, left),
        _ => settled,
    }
}

/// Returns where the wake-ups lie within the tick, in ns after the group's first start: the median of their places,
/// measured from the circular mean.
fn wakes(few: &ModelledGroup, tick: f64) -> Option<f64> {
    let place = |end: i64| (end as f64).rem_euclid(tick);
    let (sine, cosine) = few.sleeps.iter().fold((0.0, 0.0), |(sine, cosine), sleep| {
        let angle = TAU * place(sleep.end()) / tick;
        (sine + angle.sin(), cosine + angle.cos())
    });
    let mean = sine.atan2(cosine) / TAU * tick;
    let off = |end: i64| (end as f64 - mean + 0.5 * tick).rem_euclid(tick) - 0.5 * tick;
    let offs: Vec<f64> = few.sleeps.iter().map(|sleep| off(sleep.end())).collect();
    Some(mean + median(&offs)?)
}

/// Returns the mean square of a model's residuals, without the largest hundredth.
fn score(few: &ModelledGroup, model: &Model) -> Option<f64> {
    let mut squares: Vec<f64> =
        predict(few, model)?.iter().map(|&(late, told)| (late.saturating_sub(told) as f64).powi(2)).collect();
    squares.sort_by(f64::total_cmp);
    let keep = squares.len() - squares.len() / 100;
    Some(squares[..keep].iter().sum::<f64>() / keep.max(1) as f64)
}

/// Returns the other rounding rules of a tick model, each fitted to the same sleeps.
pub(super) fn others(few: &ModelledGroup, model: &Model) -> Vec<Alternative> {
    let Some(own) = model.rule else { return Vec::new() };
    let variance_share = |rule: Rounding| {
        let (other, _) = settle(few, Model { rule: Some(rule), ..model.clone() })?;
        fit::measure(&predict(few, &other)?)?.variance_share
    };
    let rules = Rounding::ALL.into_iter().filter(|&rule| rule != own);
    rules.map(|rule| Alternative { rule, variance_share: variance_share(rule) }).collect()
}
