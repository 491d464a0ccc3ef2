//! Wake-ups that each follow from the one before: sleeps back to back of whole steps and a cost. Such wake-ups wander
//! from any grid; those at ticks come back to it.

use super::ticks::{Scored, off};
use crate::patterns::features::group::Sleep;
use crate::patterns::features::robust::{median, spread};

/// Fewest sleeps.
const ENOUGH: usize = 40;
/// Least scatter about the ticks, in ns, that is examined: less is rounding, or steering of the clock.
const LEAST: f64 = 1_500.0;
/// Largest variance of the changes from wake-up to wake-up, as a part of the variance about the ticks; independent costs of
/// waking make it 2.
const STEPWISE: f64 = 0.5;
/// Correlation of each change with the next, above which none is taken back: independent costs make it -0.5.
const KEPT: f64 = -0.25;
/// Changes beyond so many scatters count as that many: single late wake-ups would decide otherwise.
const WITHIN: f64 = 4.0;

/// Returns whether wake-ups wander about the grid as sums of costs do.
pub(super) fn is_seen(sleeps: &[Sleep], best: &Scored) -> bool {
    let offs: Vec<f64> = sleeps.iter().map(|sleep| off(&best.grid, sleep.end)).collect();
    let changes: Vec<f64> = offs.windows(2).map(|pair| wrapped(pair[1] - pair[0], best.grid.tick)).collect();
    let (Some(offs), Some(changes)) = (centred(&offs), centred(&changes)) else { return false };
    let power = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64;
    let (about, step) = (power(&offs), power(&changes));
    let next = changes.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / changes.len() as f64;
    sleeps.len() >= ENOUGH && about > LEAST * LEAST && step < STEPWISE * about && next > KEPT * step
}

/// Returns the values less their median, held within some scatters of it.
fn centred(values: &[f64]) -> Option<Vec<f64>> {
    let middle = median(values)?;
    let most = WITHIN * spread(values, middle);
    Some(values.iter().map(|value| (value - middle).clamp(-most, most)).collect())
}

fn wrapped(change: f64, tick: f64) -> f64 {
    change - (change / tick).round() * tick
}
