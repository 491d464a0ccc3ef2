//! Whether a shift can be chance: the randomisation test.
//!
//! The order within each block was drawn at random, so if a variant does nothing, its sleeps and the reference's could
//! have stood in each other's place in any block. The share of such swaps that shift a quantile as much as was seen is
//! the probability of that by chance: exact for any quantile, any distribution, any dependence between blocks (Fisher,
//! "The Design of Experiments", 1935; Edgington and Onghena, "Randomization Tests", 4th edition, 2007).

use super::pair::Pair;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// After so many swaps as extreme as what was seen, the probability is known well enough: it is then their number over
/// the draws (Besag and Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991), an exact test still.
const ENOUGH: usize = 40;

/// The two-sided probability of each shift, from at most `draws` random swaps; never below 1 / (draws + 1).
pub(super) fn probabilities<const N: usize>(
    pair: &Pair,
    shares: [f64; N],
    draws: usize,
    random: &mut Pcg64Mcg,
) -> [f64; N] {
    let seen = pair.shifts(shares, |_| 1, |_| false).map(i64::abs);
    let mut extreme = [0; N];
    let mut known: [Option<f64>; N] = [None; N];
    let mut swaps = vec![false; pair.blocks];
    for drawn in 1..=draws {
        swaps.fill_with(|| random.random());
        let shifts = pair.shifts(shares, |_| 1, |block| swaps[block]);
        for at in 0..N {
            if known[at].is_none() && shifts[at].abs() >= seen[at] {
                extreme[at] += 1;
                if extreme[at] == ENOUGH {
                    known[at] = Some(ENOUGH as f64 / drawn as f64);
                }
            }
        }
        if known.iter().all(Option::is_some) {
            break;
        }
    }
    std::array::from_fn(|at| known[at].unwrap_or((extreme[at] + 1) as f64 / (draws + 1) as f64))
}
