//! Quantiles by nearest rank, and how many samples each needs: one rule for everything that is printed.

/// Returns the rank, from 1, of the `p` quantile of `n` values: the smallest rank `r` with `r / n ≥ p`.
///
/// Nearest rank: the quantile is always one of the values. `n` must not be 0; `p` is in 0..=1.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ p·n ≤ n
pub fn rank(n: u64, p: Fraction) -> u64 {
    let exact = (u128::from(n) * u128::from(p.numerator)).div_ceil(u128::from(p.denominator));
    (exact as u64).clamp(1, n)
}

/// Returns the index, from 0, of the `share` quantile among `n` sorted values; 0 if there are none.
pub fn place(n: usize, share: f64) -> usize {
    if n == 0 {
        return 0;
    }
    usize::try_from(rank(n as u64, Fraction::from_share(share)) - 1).unwrap_or(n - 1)
}

/// Returns the quantile of sorted values; `None` if there are none.
pub fn of_sorted<T: Copy>(sorted: &[T], p: Fraction) -> Option<T> {
    let n = sorted.len() as u64;
    if n == 0 {
        return None;
    }
    sorted.get(usize::try_from(rank(n, p) - 1).ok()?).copied()
}

/// Returns the quantile of values in any order, whose order it changes; `None` if there are none.
pub fn of_unsorted<T: Copy + Ord>(values: &mut [T], p: Fraction) -> Option<T> {
    if values.is_empty() {
        return None;
    }
    let place = usize::try_from(rank(values.len() as u64, p) - 1).ok()?;
    Some(*values.select_nth_unstable(place).1)
}

/// Returns the median of values in any order; `None` if there are none.
pub fn median<T: Copy + Ord>(mut values: Vec<T>) -> Option<T> {
    of_unsorted(&mut values, Fraction::P50)
}

/// Returns the median of floats in any order; `None` if there are none.
pub fn median_of_floats(mut values: Vec<f64>) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    Some(*values.select_nth_unstable_by(last / 2, f64::total_cmp).1)
}

/// Returns the median of sorted floats, of an even number the mean of the middle two; `None` if there are none.
///
/// For few figures of whole runs, of which the lower one may be far from the upper.
pub fn middle_of_sorted(sorted: &[f64]) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    Some(f64::midpoint(sorted[last / 2], sorted[sorted.len() / 2]))
}

/// Returns the same of floats in any order.
pub fn middle_of(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    middle_of_sorted(&values)
}

/// Returns the upper of the middle two of floats in any order; `None` if there are none.
///
/// Only for estimators whose thresholds were chosen with it: with the median by nearest rank, which is the lower one, a
/// recording of four requests no longer shows its idle exit (the test `deeper_idle_costs_more`).
pub fn upper_median_of_floats(mut values: Vec<f64>) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// Returns whether `n` independent samples suffice for the `p` quantile: with 95 % confidence the largest of them is at
/// or above the true quantile (`pⁿ ≤ 0.05`). That takes 5 samples for the median, 29 for p90, 299 for p99, 2 995 for
/// p99.9. With fewer, the figure would most likely be an understatement, so none is given.
pub fn supports_quantile(n: u64, p: Fraction) -> bool {
    let n = i32::try_from(n).unwrap_or(i32::MAX);
    p.as_f64().powi(n) <= 0.05
}

/// An upper limit of the search: p99.9, the highest quantile that is shown, needs 2995 samples.
const MOST_NEEDED: u64 = 1_000_000;

/// Returns the number of samples that a quantile needs.
pub fn samples_needed(p: Fraction) -> u64 {
    (1..MOST_NEEDED).find(|&n| supports_quantile(n, p)).unwrap_or(MOST_NEEDED)
}

/// A share as an exact fraction, so that ranks are computed exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fraction {
    numerator: u32,
    denominator: u32,
}

impl Fraction {
    /// The median.
    pub const P50: Self = Self { numerator: 1, denominator: 2 };
    /// The 90th percentile.
    pub const P90: Self = Self { numerator: 9, denominator: 10 };
    /// The 99th percentile.
    pub const P99: Self = Self { numerator: 99, denominator: 100 };
    /// The 99.9th percentile.
    pub const P999: Self = Self { numerator: 999, denominator: 1000 };

    /// Returns a share from 0 to 1, rounded to a millionth.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most a million
    pub fn from_share(share: f64) -> Self {
        Self { numerator: (share.clamp(0.0, 1.0) * 1e6).round() as u32, denominator: 1_000_000 }
    }

    /// Returns the fraction as a floating-point number.
    pub fn as_f64(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_exact() {
        assert_eq!(rank(1, Fraction::P99), 1);
        assert_eq!(rank(100, Fraction::P99), 99);
        assert_eq!(rank(101, Fraction::P99), 100);
        assert_eq!(rank(10, Fraction::P50), 5);
        assert_eq!(rank(11, Fraction::P50), 6);
        assert_eq!(rank(1_000, Fraction::P999), 999);
        // 0.9 × 10 in floating point is 9.000000000000002 in some orders of evaluation: rank 10 would be wrong.
        assert_eq!(rank(10, Fraction::P90), 9);
    }

    #[test]
    fn a_share_has_the_place_of_its_fraction() {
        for n in 1..2_000 {
            for (share, p) in [(0.5, Fraction::P50), (0.9, Fraction::P90), (0.99, Fraction::P99)] {
                assert_eq!(place(n, share) as u64, rank(n as u64, p) - 1);
            }
        }
        assert_eq!((place(0, 0.5), place(7, 0.0), place(7, 1.0)), (0, 0, 6));
        assert_eq!((median(vec![3, 1, 2, 9]), median::<i64>(Vec::new())), (Some(2), None));
        let mut falling: Vec<i64> = (0..1_000).rev().collect();
        assert_eq!([Fraction::P50, Fraction::P99].map(|p| of_unsorted(&mut falling, p)), [Some(499), Some(989)]);
        let floats = vec![3.0, 1.0, 2.0, 9.0];
        assert_eq!((median_of_floats(floats.clone()), upper_median_of_floats(floats)), (Some(2.0), Some(3.0)));
        assert_eq!((median_of_floats(vec![5.0]), upper_median_of_floats(vec![5.0])), (Some(5.0), Some(5.0)));
        assert_eq!((median_of_floats(Vec::new()), upper_median_of_floats(Vec::new())), (None, None));
        let middles = [vec![4.0, 1.0], vec![4.0, 1.0, 2.0], vec![5.0], Vec::new()].map(middle_of);
        assert_eq!(middles, [Some(2.5), Some(2.0), Some(5.0), None]);
    }

    #[test]
    fn few_samples_carry_no_tail() {
        let least = |p| (1..10_000).find(|&n| supports_quantile(n, p)).unwrap();
        assert_eq!(least(Fraction::P50), 5);
        assert_eq!(least(Fraction::P90), 29);
        assert_eq!(least(Fraction::P99), 299);
        assert_eq!(least(Fraction::P999), 2_995);
        assert!(!supports_quantile(50, Fraction::P999));
        assert!(supports_quantile(u64::MAX, Fraction::P999));
    }

    #[test]
    fn the_quantile_is_a_value_that_was_seen() {
        let sorted: Vec<i64> = (1..=1_000).collect();
        assert_eq!(of_sorted(&sorted, Fraction::P50), Some(500));
        assert_eq!(of_sorted(&sorted, Fraction::P99), Some(990));
        assert_eq!(of_sorted(&sorted, Fraction::P999), Some(999));
        assert_eq!(of_sorted::<i64>(&[], Fraction::P50), None);
    }
}
