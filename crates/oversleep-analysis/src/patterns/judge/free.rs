//! The simpler model: lateness does not depend on where within a tick sleeps end.

use super::density::{first_half, held_out, step};
use crate::patterns::features::group::Sleep;
use crate::patterns::features::robust::{line, median, spread};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Fewest sleeps of a cell in one half, from which its usual lateness is learnt.
const OF_A_CELL: usize = 3;

/// Returns how well (log density in nats) lateness is predicted by a level for all, a level for each cell, or a level
/// and a share of the request: the best of the three.
pub(super) fn score(sleeps: &[Sleep]) -> f64 {
    let all: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    [Some(held_out(&all, step(sleeps))), by_cell(sleeps), by_request(sleeps)]
        .into_iter()
        .flatten()
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Scores the model with a usual lateness for each cell, learnt from the other half. `None` for one cell or few sleeps.
fn by_cell(sleeps: &[Sleep]) -> Option<f64> {
    let mut cells: BTreeMap<(usize, bool), Vec<f64>> = BTreeMap::new();
    for (at, sleep) in sleeps.iter().enumerate() {
        cells.entry((sleep.view, first_half(at))).or_default().push(sleep.late);
    }
    let several = sleeps.iter().any(|sleep| sleep.view != sleeps[0].view);
    if !several || cells.values().any(|lates| lates.len() < OF_A_CELL) {
        return None;
    }
    let usual: BTreeMap<(usize, bool), f64> =
        cells.iter().filter_map(|(&cell, lates)| Some((cell, median(lates)?))).collect();
    let rests = sleeps.iter().enumerate();
    let rests: Option<Vec<f64>> =
        rests.map(|(at, sleep)| Some(sleep.late - usual.get(&(sleep.view, !first_half(at)))?)).collect();
    let rests = rests?;
    Some(held_out(&rests, step(sleeps)) - levels(sleeps, &rests))
}

/// Fewest cells whose levels show how far levels differ.
const LEVELS: usize = 8;

/// Returns what the cells' levels cost, in nats: each is a free parameter that the other cells' levels do not predict.
/// The cost is how exactly its sleeps determine a level, over how likely it is among the levels.
fn levels(sleeps: &[Sleep], rests: &[f64]) -> f64 {
    let mut cells: BTreeMap<usize, (f64, Vec<f64>)> = BTreeMap::new();
    for sleep in sleeps {
        cells.entry(sleep.view).or_insert((sleep.requested, Vec::new())).1.push(sleep.late);
    }
    if cells.len() < LEVELS {
        return 0.0;
    }
    let scatter = spread(rests, median(rests).unwrap_or(0.0)).max(step(sleeps));
    let level = |(requested, lates): &(f64, Vec<f64>)| Some((*requested, median(lates)?));
    let points: Vec<(f64, f64)> = cells.values().filter_map(level).collect();
    let slope = line(&points).map_or(0.0, |line| line.slope);
    let apart: Vec<f64> = points.iter().map(|(requested, level)| level - slope * requested).collect();
    // By Laplace's approximation, n sleeps determine a level to their scatter divided by the root of n.
    let known: f64 = cells.values().map(|(_, lates)| (scatter * (TAU / lates.len() as f64).sqrt()).ln()).sum();
    -(held_out(&apart, step(sleeps)) + known).min(0.0)
}

/// Returns by how much sleeps are longer per nanosecond of the request, if that is certain: a timer's error, unless it
/// is a share of the request.
pub(super) fn slope(sleeps: &[Sleep]) -> Option<f64> {
    let points: Vec<(f64, f64)> = sleeps.iter().map(|sleep| (sleep.requested, sleep.late)).collect();
    line(&points).filter(|line| line.slope.abs() > SURE * line.error).map(|line| line.slope)
}

/// Least slope, in standard errors, that counts as certain.
const SURE: f64 = 8.0;

/// Returns by how much better (nats) a level and a share of the request, up to a cap, predict than a level alone.
pub(in crate::patterns) fn gain_of_share(sleeps: &[Sleep], stretch: impl Fn(f64) -> f64) -> f64 {
    let all: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    let rests: Vec<f64> = sleeps.iter().map(|sleep| sleep.late - stretch(sleep.requested)).collect();
    held_out(&rests, step(sleeps)) - held_out(&all, step(sleeps))
}

/// Scores the model with a share of the request. The share is learnt from all sleeps, as one more parameter.
fn by_request(sleeps: &[Sleep]) -> Option<f64> {
    let points: Vec<(f64, f64)> = sleeps.iter().map(|sleep| (sleep.requested, sleep.late)).collect();
    let fit = line(&points)?;
    let rests: Vec<f64> = sleeps.iter().map(|sleep| sleep.late - fit.slope * sleep.requested).collect();
    Some(held_out(&rests, step(sleeps)) - 0.5 * (sleeps.len() as f64).ln())
}
