//! Whether a shift may be due to chance: the randomisation test.
//!
//! The order within each block was random, so if a variant has no effect, its sleeps and the reference's could be
//! swapped in any block. The share of such swaps whose result is at least as extreme as observed is the probability of
//! that by chance. It is exact for any statistic, any distribution, and any dependence between blocks (Fisher, "The
//! Design of Experiments", 1935; Edgington and Onghena, "Randomization Tests", 4th edition, 2007).
//!
//! For the median the statistic is the sum of the blocks' median differences, none counted as more than three quarters of
//! them are: a few blocks that something else made late dominate neither this sum nor, as in the sum of signed ranks, its
//! order (beside busy threads, one block of 15 hid a shift of 1 ms that all others showed). The difference of the two
//! medians itself would hardly show a shift between two distant clusters, as mixtures of these also have distant medians.
//! For the 99th percentile, which single blocks do not have, it is that quantile's shift.

use super::paired_blocks::PairedBlocks;
use oversleep_figures::quantile::place;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// After this number of swaps at least as extreme as observed, the probability is known well enough: their number over
/// the draws (Besag and Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991), which is still an exact
/// test.
const ENOUGH: usize = 40;

/// Returns the two-sided probabilities of the median's and the 99th percentile's shifts, from at most `draws` random
/// swaps; never below 1 / (draws + 1).
pub(super) fn probabilities(pair: &PairedBlocks, draws: usize, random: &mut Pcg64Mcg) -> [f64; 2] {
    let differences = limited(&pair.median_differences());
    let figures = |swaps: &[bool]| {
        let sum: i64 = differences.iter().zip(swaps).map(|(by, swap)| if *swap { -by } else { *by }).sum();
        let [tail] = pair.shifts([0.99], |_| 1, |block| swaps[block]);
        [sum.abs(), tail.abs()]
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

/// Share of the differences, by size, that count in full.
const IN_FULL: f64 = 0.75;

/// Returns the differences, those larger than three quarters of them reduced to the largest of these three quarters. Sizes
/// alone decide, which swaps leave as they are, so the test stays exact.
fn limited(differences: &[i64]) -> Vec<i64> {
    let mut sizes: Vec<i64> = differences.iter().map(|by| by.saturating_abs().min(LARGEST)).collect();
    sizes.sort_unstable();
    let Some(&limit) = sizes.get(place(sizes.len(), IN_FULL)) else { return Vec::new() };
    // Where most blocks show no difference, the others count in full.
    let limit = if limit == 0 { LARGEST } else { limit };
    differences.iter().map(|by| *by.clamp(&-limit, &limit)).collect()
}

/// Largest difference, in ns, of which any number of blocks can be summed: 13 days.
const LARGEST: i64 = 1 << 50;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interventions::blocks::Blocked;
    use rand::SeedableRng;

    #[test]
    fn differences_beyond_three_quarters_of_them_are_limited() {
        assert_eq!(limited(&[-5, 2, 0, 100, -1, 3, 4, -300]), [-5, 2, 0, 5, -1, 3, 4, -5]);
        assert_eq!(limited(&[0, 0, 0, 0, 7]), [0, 0, 0, 0, 7]);
        assert!(limited(&[]).is_empty());
    }

    /// A sleep of 16 ms with 50 µs and with 1 ms of slack beside three busy threads, as recorded: one block of the
    /// reference was 7.9 ms late.
    #[test]
    fn one_block_that_was_late_otherwise_does_not_hide_a_shift_of_all_others() {
        let blocked = |lates: [i64; 15]| Blocked { cell: 0, blocks: lates.map(|late| vec![late * 1_000]).to_vec() };
        let reference = [7889, 67, 67, 69, 70, 72, 73, 73, 75, 75, 79, 97, 100, 102, 120];
        let variant = [808, 1017, 1017, 1017, 1018, 1018, 1019, 1020, 1024, 1025, 1027, 1034, 1042, 1043, 1055];
        let pair = PairedBlocks::pair(&blocked(reference), &blocked(variant));
        let [p, _] = probabilities(&pair, 20_000, &mut Pcg64Mcg::seed_from_u64(1));
        // Fourteen of fifteen one way: 32 of 32768 swaps are as extreme.
        assert!(p < 0.002, "{p}");
    }
}
