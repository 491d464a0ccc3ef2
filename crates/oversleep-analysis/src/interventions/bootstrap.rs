//! How uncertain an effect is: the interval from resampling whole blocks.
//!
//! Sleeps of one turn share the machine's momentary state, so blocks are resampled rather than sleeps (Efron and
//! Tibshirani, "An Introduction to the Bootstrap", 1993, section 8; Künsch 1989 for series). Both cells' sleeps of a
//! block stay together, which keeps the pairing.

use super::paired_blocks::PairedBlocks;
use oversleep_figures::quantile::place;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The 95 % percentile interval of a shift, and its standard error, in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BootstrapInterval {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) error: f64,
}

/// Resamples the blocks `draws` times, each time as many as there are, with replacement. Returns how the statistics
/// that `figures` computes from the quantiles' shifts vary.
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
