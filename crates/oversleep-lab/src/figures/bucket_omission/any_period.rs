//! The correction where the file does not state the period: bounds that hold for every period.
//!
//! Of n values let k lie above a threshold x, let S be the sum of all values and A the sum of what exceeds x, early
//! wake-ups counting as zero. With a period T the corrected series has between max(n, S/T) and n + S/T values, of which
//! between max(k, A/T) and k + A/T lie above x. Their share is therefore at least
//! max(k, A/T) / (n + S/T), which is smallest at T = A/k, where it is 1 / (n/k + S/A); and at most
//! (k + A/T) / max(n, S/T), which is largest at T = S/n, where it is k/n + A/S.

use super::Series;
use crate::figures::quantile::{Fraction, supports_quantile};
use oversleep_recording::document::{Bounds, CorrectedBounds};

/// Keeps the bounds true although sums are rounded.
const ROUNDING: f64 = 1e-9;

/// Returns the bounds of the corrected figures of `n` values for every period: of values that are at least `least` and at
/// most `most`.
pub(super) fn corrected(n: u64, least: &Series, most: &Series) -> CorrectedBounds {
    let quantile = |p: Fraction| {
        let beyond = 1.0 - p.as_f64();
        let above = |x| least_share(n, least, most, x) > beyond * (1.0 + ROUNDING);
        let below = |x| most_share(n, least, most, x) <= beyond * (1.0 - ROUNDING);
        let high = most.first(below);
        // The smallest x with no more than that above it is the quantile's lower bound.
        let low = least.first(|x| !above(x));
        supports_quantile(n, p).then_some(Bounds { low: Some(low.min(high)), high: Some(high) })
    };
    CorrectedBounds {
        n_low: n,
        n_high: None,
        p50: quantile(Fraction::P50),
        p90: quantile(Fraction::P90),
        p99: quantile(Fraction::P99),
        p999: quantile(Fraction::P999),
    }
}

/// Returns the least share of the corrected series that can lie above a threshold.
fn least_share(n: u64, least: &Series, most: &Series, threshold: i64) -> f64 {
    let (k, over, sum) = (least.count_above(threshold), least.sum_above(threshold.max(0)), most.sum_above(0));
    if k == 0.0 {
        return 0.0;
    }
    let longer = if sum == 0.0 { 0.0 } else { sum / over };
    1.0 / (n as f64 / k + longer)
}

/// Returns the greatest share of the corrected series that can lie above a threshold.
fn most_share(n: u64, least: &Series, most: &Series, threshold: i64) -> f64 {
    let (k, over, sum) = (most.count_above(threshold), most.sum_above(threshold.max(0)), least.sum_above(0));
    let longer = if over == 0.0 { 0.0 } else { over / sum };
    k / n as f64 + longer
}

impl Series {
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
