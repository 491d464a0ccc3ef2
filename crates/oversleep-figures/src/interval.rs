//! Intervals for a median, and for the median of differences.

use super::quantile::{Fraction, rank};
pub use oversleep_recording::Difference;
use oversleep_sys::units::Nanos;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::beta_reg;

/// Returns the ranks, from 1, between which the median lies with 95 % confidence: the percentile bootstrap's interval.
///
/// A resample's median is at or below the k-th smallest value exactly when at least half of its n draws are, and
/// each draw is with probability k/n. So the bootstrap's distribution is binomial and its interval follows without
/// drawing: this is the limit of infinitely many resamples (Efron, "Bootstrap methods", 1979, section 3), the same
/// on every machine. Samples of a sleeping thread are not quite independent; the interval is then too narrow. It stands
/// for the uncertainty from the number of samples alone.
///
/// `None` below 5 samples, which are too few for a median.
pub fn median_ranks(n: u64) -> Option<(u64, u64)> {
    if n < 5 {
        return None;
    }
    Some((smallest(n, 0.025), smallest(n, 0.975)))
}

/// Returns the median of the differences of pairs measured side by side, with its interval; `None` where there are too
/// few.
///
/// What changes more slowly than from pair to pair is in both sides of each pair, so it cancels in the differences.
pub fn median_difference(differences: &[Nanos]) -> Option<Difference> {
    let n = differences.len() as u64;
    let (low, high) = median_ranks(n)?;
    let mut sorted = differences.to_vec();
    sorted.sort_unstable();
    let at = |rank: u64| usize::try_from(rank - 1).ok().and_then(|index| sorted.get(index)).copied();
    Some(Difference { size: at(rank(n, Fraction::P50))?, low: at(low)?, high: at(high)? })
}

/// Returns the smallest rank k for which the resampled median is at or below the k-th value with probability ≥ `level`.
/// Starts from the normal approximation and widens the search until k lies between two tries; then bisects.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held between 1 and n
fn smallest(n: u64, level: f64) -> u64 {
    let (mut low, mut high) = (1, n);
    let normal = n as f64 / 2.0 + Normal::standard().inverse_cdf(level) * (n as f64).sqrt() / 2.0;
    let (mut at, mut step) = ((normal.max(1.0) as u64).min(n), 1);
    while low < high {
        if at_most(n, at) >= level {
            high = at;
        } else {
            low = at + 1;
        }
        let middle = low.midpoint(high);
        at = match (low > 1, high < n) {
            (true, true) => middle,
            (false, _) => high.saturating_sub(step).max(middle),
            (true, false) => low.saturating_add(step).min(middle),
        };
        step *= 2;
    }
    low
}

/// Returns P(Binomial(n, k/n) ≥ rank of the median), by the regularised incomplete beta function.
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

    #[test]
    fn the_difference_of_pairs_is_free_of_what_both_share() {
        // A machine that becomes slower with time, by far more than the 3 ns between the two sides.
        let before: Vec<i64> = (0..101).map(|n| 1_000 * n).collect();
        let after: Vec<i64> = before.iter().enumerate().map(|(at, n)| n + 2 + i64::try_from(at % 3).unwrap()).collect();
        let differences: Vec<Nanos> = after.iter().zip(&before).map(|(a, b)| Nanos::new(a - b)).collect();
        let apart = median_difference(&differences).unwrap();
        assert_eq!((apart.size, apart.low, apart.high), (Nanos::new(3), Nanos::new(3), Nanos::new(3)));
        assert_eq!(median_difference(&differences[..4]), None);
    }

    /// Compares the ranks with a bootstrap that really draws: they agree to within its noise.
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
    fn the_rank_is_that_of_trying_all() {
        for n in (5..300).chain([1_001, 2_500]) {
            for level in [0.025, 0.975] {
                let first = (1..=n).find(|&k| at_most(n, k) >= level);
                assert_eq!(Some(smallest(n, level)), first, "{n} at {level}");
            }
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
