//! Whether a shift may be due to chance: the randomisation test.
//!
//! The order within each block was random, so if a variant has no effect, its sleeps and the reference's could be
//! swapped in any block. The share of such swaps whose result is at least as extreme as observed is the probability of
//! that by chance. It is exact for any statistic, any distribution, and any dependence between blocks (Fisher, "The
//! Design of Experiments", 1935; Edgington and Onghena, "Randomization Tests", 4th edition, 2007).
//!
//! For the median the statistic is Wilcoxon's signed-rank sum of the blocks' median differences ("Individual
//! comparisons by ranking methods", Biometrics Bulletin 1, 1945): twelve pairs are enough, and no outlying block
//! dominates. The difference of the two medians itself would hardly show a shift between two distant clusters, as
//! mixtures of these also have distant medians. For the 99th percentile, which single blocks do not have, it is that
//! quantile's shift.

use super::paired_blocks::PairedBlocks;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// After this number of swaps at least as extreme as observed, the probability is known well enough: their number over
/// the draws (Besag and Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991), which is still an exact
/// test.
const ENOUGH: usize = 40;

/// Returns the two-sided probabilities of the median's and the 99th percentile's shifts, from at most `draws` random
/// swaps; never below 1 / (draws + 1).
pub(super) fn probabilities(pair: &PairedBlocks, draws: usize, random: &mut Pcg64Mcg) -> [f64; 2] {
    let ranks = signed_ranks(&pair.median_differences());
    let figures = |swaps: &[bool]| {
        let sum: f64 = ranks.iter().zip(swaps).map(|(rank, swap)| if *swap { -rank } else { *rank }).sum();
        let [tail] = pair.shifts([0.99], |_| 1, |block| swaps[block]);
        [sum.abs(), tail.abs() as f64]
    };
    let mut swaps = vec![false; pair.blocks];
    let seen = figures(&swaps);
    let mut tails = [Tail::default(); 2];
    for drawn in 1..=draws {
        swaps.fill_with(|| random.random());
        for ((tail, figure), seen) in tails.iter_mut().zip(figures(&swaps)).zip(seen) {
            tail.enter(figure >= seen, drawn);
        }
        if tails.iter().all(|tail| tail.known.is_some()) {
            break;
        }
    }
    tails.map(|tail| tail.known.unwrap_or((tail.extreme + 1) as f64 / (draws + 1) as f64))
}

#[derive(Debug, Clone, Copy, Default)]
struct Tail {
    extreme: usize,
    known: Option<f64>,
}

impl Tail {
    fn enter(&mut self, extreme: bool, drawn: usize) {
        if self.known.is_none() && extreme {
            self.extreme += 1;
            self.known = (self.extreme == ENOUGH).then(|| ENOUGH as f64 / drawn as f64);
        }
    }
}

/// Returns the rank of each difference by size, with its sign; equal sizes share their ranks' mean, and a difference of
/// zero has rank zero. Ranks are multiples of one half, so sums are exact.
fn signed_ranks(differences: &[i64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..differences.len()).collect();
    order.sort_by_key(|&at| differences[at].unsigned_abs());
    let mut ranks = vec![0.0; differences.len()];
    let mut below = 0;
    for same in order.chunk_by(|&a, &b| differences[a].unsigned_abs() == differences[b].unsigned_abs()) {
        let rank = below as f64 + (same.len() + 1) as f64 / 2.0;
        for &at in same {
            ranks[at] = rank * differences[at].signum() as f64;
        }
        below += same.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::signed_ranks;

    #[test]
    fn ranks_carry_signs_and_ties_share() {
        let got = signed_ranks(&[-5, 2, 0, 5, -1]);
        assert!(got.iter().zip([-4.5, 3.0, 0.0, 4.5, -2.0]).all(|(got, want)| (got - want).abs() < 1e-12), "{got:?}");
    }
}
