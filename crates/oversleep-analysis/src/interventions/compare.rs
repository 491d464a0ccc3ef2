//! One comparison: the size of a shift, its uncertainty and its probability by chance.

use super::blocks::AllBlocked;
use super::contrast::Contrast;
use super::paired_blocks::PairedBlocks;
use super::randomise;
use oversleep_figures::quantile::{Fraction, place, supports_quantile};
use oversleep_recording::document::{Effect, Shift, SizeInterval};
use oversleep_recording::plan::build::FEWEST_BLOCKS;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The number of random draws in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Draws for intervals.
    pub draws: usize,
    /// Most draws for probabilities: 20 000 distinguish one in a thousand from one in five hundred.
    pub swaps: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { draws: 1_000, swaps: 20_000 }
    }
}

const SHARES: [f64; 2] = [0.5, 0.99];
/// The quantiles whose mean shift measures a pure delay, then those of [`SHARES`].
const ALL_SHARES: [f64; 10] = [0.025, 0.05, 0.075, 0.10, 0.125, 0.15, 0.175, 0.20, 0.5, 0.99];

/// Compares two cells. `None` where too few blocks have both, so that even the largest difference might be chance.
pub(super) fn effect(all: &AllBlocked, contrast: Contrast, effort: Effort, seed: u64) -> Option<Effect> {
    let pair = pair(all, contrast.reference, contrast.cell)?;
    let variant = all.for_cell(contrast.cell)?;
    let mut random = random(seed, contrast.cell, contrast.reference);
    let [delay, p50, p99] = measured(&pair, effort, &mut random);
    let probabilities = randomise::probabilities(&pair, effort.swaps, &mut random);
    let tail = supports_quantile(pair.sleeps() as u64, Fraction::P99);
    Some(Effect {
        predicted: None,
        cell: contrast.cell,
        reference: contrast.reference,
        change: contrast.change,
        given: contrast.given,
        blocks: pair.blocks,
        sleeps: pair.sleeps(),
        variant_p50_ns: variant.quantile(SHARES[0])?,
        variant_p99_ns: variant.quantile(SHARES[1]).filter(|_| tail),
        p50: shift(p50, probabilities[0]),
        p99: tail.then(|| shift(p99, probabilities[1])),
        delay: SizeInterval { size: delay.0, low: delay.1.low, high: delay.1.high },
    })
}

/// Returns how much later `cell` is than `reference`, as a pure delay and by the median; without a test.
pub(super) fn later(
    all: &AllBlocked,
    cell: u32,
    reference: u32,
    effort: Effort,
    seed: u64,
) -> Option<[SizeInterval; 2]> {
    let pair = pair(all, reference, cell)?;
    let [delay, p50, _] = measured(&pair, effort, &mut random(seed, cell, reference));
    Some([delay, p50].map(|(size, BootstrapInterval { low, high, .. })| SizeInterval { size, low, high }))
}

fn pair(all: &AllBlocked, reference: u32, cell: u32) -> Option<PairedBlocks> {
    let pair = PairedBlocks::pair(all.for_cell(reference)?, all.for_cell(cell)?);
    (pair.blocks >= usize::try_from(FEWEST_BLOCKS).unwrap_or(usize::MAX)).then_some(pair)
}

/// Returns random numbers of the comparison's own, which do not depend on what else is compared.
fn random(seed: u64, cell: u32, reference: u32) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed ^ u64::from(cell) << 32 ^ u64::from(reference) << 48)
}

fn measured(pair: &PairedBlocks, effort: Effort, random: &mut Pcg64Mcg) -> [(f64, BootstrapInterval); 3] {
    let [reference, variant] = pair.quantiles(ALL_SHARES, |_| 1, |_| false).map(figures);
    let spreads = spread(pair, ALL_SHARES, figures, effort.draws, random);
    std::array::from_fn(|at| (variant[at] - reference[at], spreads[at].between(reference[at], variant[at])))
}

fn figures(shifts: [i64; 10]) -> [f64; 3] {
    let [lower @ .., p50, p99] = shifts;
    [lower.iter().map(|&shift| shift as f64).sum::<f64>() / lower.len() as f64, p50 as f64, p99 as f64]
}

fn shift((size, BootstrapInterval { low, high, error }): (f64, BootstrapInterval), p: f64) -> Shift {
    Shift {
        size,
        low: low.min(size),
        high: high.max(size),
        error,
        p,
        corrected: 1.0,
        seen: false,
        smallest_detectable: 0.0,
    }
}

/// The 95 % percentile interval of a shift, and its standard error, in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BootstrapInterval {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) error: f64,
}

impl BootstrapInterval {
    /// Returns the interval of a shift from a lateness to another: a change takes at most what there was, and adds at most what
    /// there is then. Draws in which one late block counts several times go beyond that.
    fn between(self, reference: f64, variant: f64) -> Self {
        if reference < 0.0 || variant < 0.0 {
            return self;
        }
        Self { low: self.low.max(-reference), high: self.high.min(variant), ..self }
    }
}

/// Resamples the blocks `draws` times, each time as many as there are, with replacement. Returns how the statistics
/// that `figures` computes from the quantiles' shifts vary.
///
/// Sleeps of one turn share the machine's momentary state, so blocks are resampled rather than sleeps (Efron and
/// Tibshirani, "An Introduction to the Bootstrap", 1993, section 8; Künsch 1989 for series). Both cells' sleeps of a
/// block stay together, which keeps the pairing.
pub(super) fn spread<const N: usize, const M: usize>(
    pair: &PairedBlocks,
    shares: [f64; N],
    figures: impl Fn([i64; N]) -> [f64; M],
    draws: usize,
    random: &mut Pcg64Mcg,
) -> [BootstrapInterval; M] {
    let mut seen: [Vec<f64>; M] = std::array::from_fn(|_| Vec::with_capacity(draws));
    let mut weights = vec![0; pair.blocks];
    for _ in 0..draws {
        weights.fill(0);
        for _ in 0..pair.blocks {
            weights[random.random_range(0..pair.blocks)] += 1;
        }
        let shifts = pair.shifts(shares, |block| weights[block], |_| false);
        for (all, shift) in seen.iter_mut().zip(figures(shifts)) {
            all.push(shift);
        }
    }
    seen.map(|mut all| {
        all.sort_by(f64::total_cmp);
        let at = |share| all.get(place(all.len(), share)).copied().unwrap_or(0.0);
        // Half the range of the middle 68 % of the draws: a few outliers must not change the error.
        BootstrapInterval { low: at(0.025), high: at(0.975), error: (at(0.841_344_7) - at(0.158_655_3)) / 2.0 }
    })
}
