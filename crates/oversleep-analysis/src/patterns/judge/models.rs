//! The models that compete: ticks at the proposed rate, at its rivals, and at all known rates.

use super::posterior::{Left, weigh};
use super::ticks::{Scored, rules};
use super::{KEPT, REACH, coincidence, divisors, free};
use crate::patterns::features::grid::{Grid, NOMINAL, downsample, fit, resultant};
use crate::patterns::features::group::Sleep;

/// Largest relative error of a wrongly calibrated timer; range, in ppm, that is searched about the slope of lateness.
const MISCALIBRATED: f64 = 0.013;
const NEAR_SLOPE: f64 = 300.0;

/// Scores a tick of a nominal rate, in Hz, with whatever drift fits best.
pub(super) fn at_rate(sleeps: &[Sleep], hz: f64) -> Vec<Scored> {
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let grid = fit(&ends, &dues, hz, REACH).filter(|grid| grid.wakes >= KEPT);
    grid.map_or_else(Vec::new, |grid| rules(sleeps, &grid, hz))
}

/// Scores ticks of wrongly calibrated timers: longer than nominal by the same factor as sleeps are longer than
/// requested. The largest on record is above 1 % (FreeBSD 8 at 40 kHz: 1.091 % by its preset).
pub(super) fn off_by_slope(sleeps: &[Sleep]) -> Vec<Scored> {
    let off = |slope: &f64| (REACH * 1e-6..MISCALIBRATED).contains(&slope.abs());
    let Some(slope) = free::slope(sleeps).filter(off) else { return Vec::new() };
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let fitted = |hz: &f64| Some((*hz, fit(&ends, &dues, hz / (1.0 + slope), NEAR_SLOPE)?));
    let kept = NOMINAL.iter().filter_map(fitted).filter(|(_, grid)| grid.wakes >= KEPT);
    kept.flat_map(|(hz, grid)| rules(sleeps, &grid, hz)).collect()
}

/// Scores Windows' tick called 1 ms. It mostly lasts 0.997 ms: no other tick is so far from its nominal rate.
pub(super) fn at_resolution(sleeps: &[Sleep]) -> Vec<Scored> {
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let grid = fit(&ends, &dues, 1e9 / 997_000.0, 100.0).filter(|grid| grid.wakes >= KEPT);
    grid.map_or_else(Vec::new, |grid| rules(sleeps, &grid, 1_000.0))
}

/// Scores the proposed grid, and the grids of all other rates that the wake-ups keep with the same drift.
pub(super) fn rivals(sleeps: &[Sleep], grid: &Grid, hz: f64) -> Vec<Scored> {
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let few = downsample(&ends);
    let others = NOMINAL.iter().copied().filter(|other| (other - hz).abs() > 1e-9).filter_map(|other| {
        let tick = grid.tick * hz / other;
        let (kept, angle) = resultant(&few, 1.0 / tick);
        (kept >= KEPT).then_some((other, Grid { tick, phase: angle * tick, wakes: kept, ..*grid }))
    });
    std::iter::once((hz, *grid)).chain(others).flat_map(|(hz, grid)| rules(sleeps, &grid, hz)).collect()
}

/// Weighs the models together with slower ticks within the best one, and faster ones around the best of those.
pub(super) fn weighed(sleeps: &[Sleep], models: &[Scored], from_last: Option<bool>) -> Option<Left> {
    let best = weigh(models, from_last)?.best;
    let mut models = models.to_vec();
    let at_one_place = coincidence::at_one_place(sleeps, &best);
    let slower = divisors::of(sleeps, &best.grid, best.hz, at_one_place).into_iter();
    models.extend(slower.flat_map(|(hz, grid)| rules(sleeps, &grid, hz)));
    let best = weigh(&models, from_last)?.best;
    if !NOMINAL.contains(&best.hz) {
        let faster = [2.0, 3.0, 4.0].map(|times| (times * best.hz, Grid { tick: best.grid.tick / times, ..best.grid }));
        let new = faster.into_iter().filter(|(hz, _)| models.iter().all(|model| (model.hz - hz).abs() > 1e-9 * hz));
        let scored: Vec<Scored> = new.flat_map(|(hz, grid)| rules(sleeps, &grid, hz)).collect();
        models.extend(scored);
    }
    weigh(&models, from_last)
}

/// Returns the effective number of rates tried: every known rate, in steps of one cycle over the whole recording.
pub(super) fn tries(sleeps: &[Sleep], hz: f64) -> f64 {
    let span = sleeps.last().map_or(0.0, |last| last.end - sleeps[0].end);
    NOMINAL.len() as f64 * (1.0 + 2e-6 * REACH * hz * 1e-9 * span).min(1e4)
}
