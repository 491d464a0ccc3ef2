//! Intervals for a median, for the median of differences, and for a share.

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

/// Returns between which shares (0 to 1) the true one lies with 95 % confidence, if `count` of `of` independent events are
/// of a kind: the exact interval (Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of
/// the binomial", Biometrika 26, 1934), 2.5 % on either side. `None` without events.
///
/// Late sleeps that come together are fewer independent events than sleeps; the interval is then too narrow.
pub fn share(count: u64, of: u64) -> Option<(f64, f64)> {
    let other = of.checked_sub(count).filter(|_| of > 0)? as f64;
    let count = count as f64;
    // P(at least `count` of `of`) grows with the share, and so does P(more than `count`).
    let low = if count > 0.0 { share_where(|share| beta_reg(count, other + 1.0, share), 0.025) } else { 0.0 };
    let high = if other > 0.0 { share_where(|share| beta_reg(count + 1.0, other, share), 0.975) } else { 1.0 };
    Some((low, high))
}

/// Halvings of 0 to 1 after which a share is known to more digits than are shown, however small it is.
const HALVINGS: u32 = 80;

/// Returns the share at which a growing function of it reaches `level`.
fn share_where(function: impl Fn(f64) -> f64, level: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if function(middle) < level { low = middle } else { high = middle }
    }
    high
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

    /// The same numbers are in the page's test of `medianRanks` (`web/test/exact.test.ts`).
    #[test]
    fn the_ranks_of_the_page_are_these() {
        for (n, low, high) in [(5, 1, 5), (11, 3, 9), (100, 40, 60), (501, 229, 273), (7_180, 3_507, 3_673)] {
            assert_eq!(median_ranks(n), Some((low, high)), "{n}");
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

    /// Compares with the sums of binomial probabilities, and with Clopper and Pearson's own example (n = 10, 95 %).
    #[test]
    fn a_share_has_the_exact_interval() {
        let at_least = |count: u64, of: u64, share: f64| -> f64 {
            let mut ways = 1.0;
            let mut sum = 0.0;
            for hits in 0..=of {
                if hits >= count {
                    sum += ways
                        * share.powi(i32::try_from(hits).unwrap())
                        * (1.0 - share).powi(i32::try_from(of - hits).unwrap());
                }
                ways *= (of - hits) as f64 / (hits + 1) as f64;
            }
            sum
        };
        for (count, of) in [(1, 10), (3, 10), (10, 10), (2, 60), (59, 60)] {
            let (low, high) = share(count, of).unwrap();
            assert!((at_least(count, of, low) - 0.025).abs() < 1e-12, "{count} of {of}: {low}");
            assert!(count == of || (at_least(count + 1, of, high) - 0.975).abs() < 1e-12, "{count} of {of}: {high}");
        }
        assert_eq!((share(0, 0), share(3, 2)), (None, None));
        assert_eq!((share(0, 7_180).unwrap().0, share(7, 7).unwrap().1), (0.0, 1.0));
        // 1 − 0.025^(1/n).
        assert!((share(0, 7_180).unwrap().1 - 5.136_4e-4).abs() < 1e-7);
        let (low, high) = share(2, 7_180).unwrap();
        assert!((low - 3.373_6e-5).abs() < 1e-8 && (high - 1.005_9e-3).abs() < 1e-6, "{low} {high}");
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
