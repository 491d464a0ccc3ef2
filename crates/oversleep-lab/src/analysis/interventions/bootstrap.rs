//! How uncertain an effect is: the interval from drawing whole blocks anew.
//!
//! Sleeps of one turn share the moment's mood of the machine, so not sleeps but blocks are drawn (Efron and
//! Tibshirani, "An Introduction to the Bootstrap", 1993, section 8; Künsch 1989 for series), and both cells' sleeps of
//! a block stay together, which keeps the pairing.

use super::pair::Pair;
use crate::figures::quantile::place;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The 95 % percentile interval of a shift, and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) error: f64,
}

/// Draws as many blocks as there are, with replacement, `draws` times, and sees how each figure that `figures` makes of
/// the quantiles' shifts varies.
pub(super) fn spread<const N: usize, const M: usize>(
    pair: &Pair,
    shares: [f64; N],
    figures: impl Fn([i64; N]) -> [f64; M],
    draws: usize,
    random: &mut Pcg64Mcg,
) -> [Spread; M] {
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
        // The middle two thirds and more of the draws: a few wild ones must not make the error wild.
        Spread { low: at(0.025), high: at(0.975), error: (at(0.841_344_7) - at(0.158_655_3)) / 2.0 }
    })
}
