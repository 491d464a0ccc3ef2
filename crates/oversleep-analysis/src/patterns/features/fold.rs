//! Recognises a sawtooth by the grid of its wake-ups. Folded by the tick's length, a lateness that climbs and jumps
//! back is one straight line, however many sleeps between the jumps were late for another reason.

use super::grid::{Grid, fit};
use super::group::Sleep;
use super::robust::median;
use oversleep_figures::quantile::place;
use oversleep_model::KNOWN_RATES;

/// A sawtooth's tick, and the straight line that lateness follows once folded by it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Folded {
    /// Length of the tick in ns.
    pub tick: f64,
    /// Change of lateness in ns per second, jumps left out.
    pub slope: f64,
    /// Standard error of `slope`, in ns per second.
    pub error: f64,
    /// Spread of lateness about the line (1 σ, robust), in ns.
    pub scatter: f64,
    /// The number of ticks by which lateness jumped back in all.
    pub jumps: usize,
}

/// Furthest a tick slides, in ppm: a disciplined clock (500 ppm) and divisors (700 ppm).
const REACH: f64 = 1_200.0;
/// Share of wake-ups that must lie within 8 % of a tick from the line.
const ON_LINE: f64 = 0.85;
/// Part of the sleeps, about the median, whose lateness must vary by less than a tick: under one rule, all of them do.
const MIDDLE: f64 = 0.7;
/// Number of sleeps at either end from which the sum of the jumps is computed.
const END: usize = 7;

/// Returns the slowest tick, of the rates kernels are built with, that folds lateness at a steady rhythm (in ns) into
/// one line with at least one jump; `None` where none does.
///
/// Any fraction of the tick folds lateness as well, so the slowest of equally good rates is the tick. If that rate
/// folds without a jump, there is no sawtooth.
pub fn sawtooth(sleeps: &[Sleep], rhythm: f64) -> Option<Folded> {
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let mut lates: Vec<f64> = sleeps.iter().map(|sleep| sleep.late).collect();
    lates.sort_by(f64::total_cmp);
    let at = |share: f64| lates.get(place(lates.len(), share)).copied().unwrap_or(0.0);
    let within = at(0.5 + 0.5 * MIDDLE) - at(0.5 - 0.5 * MIDDLE);
    let whole = |hz: f64| (hz * rhythm * 1e-9 - (hz * rhythm * 1e-9).round()).abs() < 0.01;
    let fits: Vec<(f64, Grid)> = KNOWN_RATES
        .iter()
        .filter(|&&hz| hz <= 1_200.0 && whole(hz))
        .filter_map(|&hz| {
            // A slide by one tick more per period of the rhythm looks the same: it is taken to be under half a tick.
            let alias = 1e15 / hz / rhythm;
            let grid = fit(&ends, &dues, hz, REACH.min(0.49 * alias))?;
            let sharp = grid.on_grid >= ON_LINE && grid.jitter < 0.06 * grid.tick;
            (sharp && within < grid.tick).then_some((hz, grid))
        })
        .collect();
    let least = fits.iter().map(|(_, grid)| grid.jitter).fold(f64::INFINITY, f64::min);
    // Rates come slowest first.
    let &(hz, grid) = fits.iter().find(|(_, grid)| grid.jitter <= 1.4 * least + 1_500.0)?;
    let slope = (grid.tick * hz * 1e-9 - 1.0) * 1e9;
    let net = jumped(sleeps, slope, grid.tick)?;
    (net >= 1.0).then_some(Folded {
        tick: grid.tick,
        slope,
        error: grid.error * hz,
        scatter: grid.jitter,
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole and at least 1
        jumps: net as usize,
    })
}

/// Returns the sum of the jumps in whole ticks: how far lateness leaves the line from the first sleeps to the last.
fn jumped(sleeps: &[Sleep], slope: f64, tick: f64) -> Option<f64> {
    let (first, last) = (sleeps.get(..END)?, sleeps.get(sleeps.len() - END..)?);
    let off = |part: &[Sleep]| median(&part.iter().map(|s| s.late - slope * s.due * 1e-9).collect::<Vec<_>>());
    Some(((off(last)? - off(first)?) / tick).round().abs())
}
