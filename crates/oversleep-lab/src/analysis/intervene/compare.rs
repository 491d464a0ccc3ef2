//! One comparison: how large, how uncertain, how likely by chance.

use super::blocks::AllBlocked;
use super::bootstrap::{self, Spread};
use super::contrast::Contrast;
use super::effect::{Effect, Shift};
use super::pair::Pair;
use super::randomise;
use crate::analysis::quantile::{Fraction, carried};
use crate::plan::build::FEWEST_BLOCKS;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// How many random draws a comparison takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// For intervals.
    pub draws: usize,
    /// For probabilities, at most: 20 000 tell one in a thousand from one in five hundred.
    pub swaps: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { draws: 1_000, swaps: 20_000 }
    }
}

const SHARES: [f64; 2] = [0.5, 0.99];

/// `None` where too few blocks have both, so that not even the largest difference could be told from chance.
pub(super) fn effect(all: &AllBlocked, contrast: Contrast, effort: Effort, seed: u64) -> Option<Effect> {
    let of = |cell: u32| all.cells.iter().find(|blocked| blocked.cell == cell);
    let (reference, variant) = (of(contrast.reference)?, of(contrast.cell)?);
    let pair = Pair::of(reference, variant);
    if pair.blocks < usize::try_from(FEWEST_BLOCKS).unwrap_or(usize::MAX) {
        return None;
    }
    let mixed = seed ^ u64::from(contrast.cell) << 32 ^ u64::from(contrast.reference) << 48;
    let mut random = Pcg64Mcg::seed_from_u64(mixed);
    let shifts = pair.shifts(SHARES, |_| 1, |_| false);
    let spreads = bootstrap::spread(&pair, SHARES, effort.draws, &mut random);
    let probabilities = randomise::probabilities(&pair, SHARES, effort.swaps, &mut random);
    let tail = carried(pair.sleeps() as u64, Fraction::P99);
    Some(Effect {
        cell: contrast.cell,
        reference: contrast.reference,
        change: contrast.change,
        given: contrast.given,
        blocks: pair.blocks,
        sleeps: pair.sleeps(),
        variant_p50_ns: variant.quantile(SHARES[0])?,
        variant_p99_ns: variant.quantile(SHARES[1]).filter(|_| tail),
        p50: shift(shifts[0], spreads[0], probabilities[0]),
        p99: tail.then(|| shift(shifts[1], spreads[1], probabilities[1])),
    })
}

fn shift(size: i64, spread: Spread, p: f64) -> Shift {
    let Spread { low, high, error } = spread;
    let size = size as f64;
    Shift { size, low: low.min(size), high: high.max(size), error, p, corrected: 1.0, seen: false, could_see: 0.0 }
}
