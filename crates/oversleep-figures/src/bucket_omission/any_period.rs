//! The correction where the file does not state the period: bounds that hold for every period.
//!
//! Of n values let k lie above a threshold x, let S be the sum of all values and A the sum of what exceeds x, early
//! wake-ups counting as zero. With a period T the corrected series has between max(n, S/T) and n + S/T values, of which
//! between max(k, A/T) and k + A/T lie above x. Their share is therefore at least
//! max(k, A/T) / (n + S/T), which is smallest at T = A/k, where it is 1 / (n/k + S/A); and at most
//! (k + A/T) / max(n, S/T), which is largest at T = S/n, where it is k/n + A/S.

use super::WakeCounts;
use crate::quantile::Fraction;
use oversleep_sys::units::Nanos;

/// Keeps the bounds true although sums are rounded.
const ROUNDING: f64 = 1e-9;

/// The shares of the corrected series that can lie above a threshold, whatever the period: of values that are at least
/// `least` and at most `most`.
pub(super) struct Shares<'a> {
    n: f64,
    least: &'a WakeCounts,
    most: &'a WakeCounts,
    /// Sums of all values of `least` and of `most`, in ns.
    sums: (f64, f64),
}

impl<'a> Shares<'a> {
    pub(super) fn new(n: u64, least: &'a WakeCounts, most: &'a WakeCounts) -> Self {
        Self { n: n as f64, least, most, sums: (least.sum_above(0), most.sum_above(0)) }
    }

    /// Returns the lower and the upper bound of a quantile.
    pub(super) fn quantile(&self, p: Fraction) -> (Nanos, Nanos) {
        let beyond = 1.0 - p.as_f64();
        // The smallest threshold with no more than that above it is the quantile's lower bound.
        let low = self.least.first(|threshold| self.least_above(threshold) <= beyond * (1.0 + ROUNDING));
        let high = self.most.first(|threshold| self.most_above(threshold) <= beyond * (1.0 - ROUNDING));
        (low, high)
    }

    fn least_above(&self, threshold: i64) -> f64 {
        let (k, over) = (self.least.count_above(threshold), self.least.sum_above(threshold.max(0)));
        if k == 0.0 {
            return 0.0;
        }
        let longer = if self.sums.1 == 0.0 { 0.0 } else { self.sums.1 / over };
        1.0 / (self.n / k + longer)
    }

    fn most_above(&self, threshold: i64) -> f64 {
        let (k, over) = (self.most.count_above(threshold), self.most.sum_above(threshold.max(0)));
        let longer = if over == 0.0 { 0.0 } else { over / self.sums.0 };
        k / self.n + longer
    }
}

impl WakeCounts {
    /// Returns how many values of wake-ups lie above a threshold.
    fn count_above(&self, threshold: i64) -> f64 {
        self.values.iter().filter(|(value, _)| *value > threshold).map(|(_, count)| *count as f64).sum()
    }

    /// Returns the sum of what values exceed a threshold by, in ns.
    fn sum_above(&self, threshold: i64) -> f64 {
        let over = |value: i64| (i128::from(value) - i128::from(threshold)).max(0) as f64;
        self.values.iter().map(|(value, count)| over(*value) * *count as f64).sum()
    }
}
