//! An interval for the median.

use super::quantile::{Fraction, rank};
use statrs::function::beta::beta_reg;

/// The ranks, from 1, between which the median lies with 95 % confidence: the percentile bootstrap's interval.
///
/// A resample's median is at or below the k-th smallest value exactly when at least half of its n draws are, and
/// each draw is with probability k/n. So the bootstrap's distribution is binomial and its interval follows without
/// drawing: this is the limit of infinitely many resamples (Efron, "Bootstrap methods", 1979, section 3), the same
/// on every machine. Samples of a sleeping thread are not quite independent; the interval is then too narrow, and
/// is given as what it is: the uncertainty from the number of samples alone.
///
/// `None` below 5 samples, which carry no median.
pub fn median_ranks(n: u64) -> Option<(u64, u64)> {
    if n < 5 {
        return None;
    }
    Some((smallest(n, 0.025), smallest(n, 0.975)))
}

/// The smallest rank k for which the resampled median is at or below the k-th value with probability ≥ `level`.
fn smallest(n: u64, level: f64) -> u64 {
    let (mut low, mut high) = (1, n);
    while low < high {
        let middle = low.midpoint(high);
        if at_most(n, middle) >= level {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// P(Binomial(n, k/n) ≥ rank of the median), by the regularised incomplete beta function.
fn at_most(n: u64, k: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    let half = rank(n, Fraction::P50);
    beta_reg(half as f64, (n - half + 1) as f64, k as f64 / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// A real bootstrap, drawn, must agree to within its own noise.
    #[test]
    fn agrees_with_a_bootstrap_that_draws() {
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
        for n in [11_usize, 100, 501] {
            let mut medians: Vec<usize> = (0..20_000)
                .map(|_| {
                    let mut draws: Vec<usize> = (0..n).map(|_| random.random_range(1..=n)).collect();
                    let middle = usize::try_from(rank(n as u64, Fraction::P50)).unwrap() - 1;
                    *draws.select_nth_unstable(middle).1
                })
                .collect();
            medians.sort_unstable();
            let (low, high) = median_ranks(n as u64).unwrap();
            let tolerance = 1 + n as u64 / 100;
            assert!(low.abs_diff(medians[500] as u64) <= tolerance, "n {n}: {low} against {}", medians[500]);
            assert!(high.abs_diff(medians[19_499] as u64) <= tolerance, "n {n}: {high} against {}", medians[19_499]);
        }
    }

    #[test]
    fn holds_the_median_and_tightens_with_n() {
        assert_eq!(median_ranks(4), None);
        let mut width = 1.0;
        for n in [5, 50, 500, 5_000, 5_000_000] {
            let (low, high) = median_ranks(n).unwrap();
            assert!(low <= rank(n, Fraction::P50) && rank(n, Fraction::P50) <= high && high <= n);
            let relative = (high - low) as f64 / n as f64;
            assert!(relative < width);
            width = relative;
        }
    }
}
