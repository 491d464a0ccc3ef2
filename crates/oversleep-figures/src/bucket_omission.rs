//! The correction for coordinated omission of values in buckets.
//!
//! A program that skips the periods which a late wake-up covered counts one value v for all of them. The corrected
//! series has v − period, v − 2·period, … down to zero as well, as in [`super::omission`]. Of v a bucket gives two
//! bounds, so the corrected series has two: the number of its values above any threshold grows with v, which bounds each
//! quantile from both sides. Nothing is enumerated: a file with a value of years and a period of a microsecond takes no
//! longer than another.

use super::quantile::{Fraction, rank, supports_quantile};
use oversleep_recording::document::{Bounds, CorrectedBounds};
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;

/// Returns the bounds of the corrected figures of lateness in a schedule with this period, or with any if the file does
/// not state it; `None` where the file does not lack skipped periods (they were not skipped, or the values are corrected
/// already), or a value has no bounds.
pub(super) fn corrected(distribution: &Distribution, period: Option<Nanos>) -> Option<CorrectedBounds> {
    let skips = distribution.quantity == Quantity::Oversleep && distribution.lost.contains(&Loss::SkippedPeriods);
    if !skips {
        return None;
    }
    let (least, most) = (WakeCounts::lowest(distribution)?, WakeCounts::highest(distribution)?);
    match period.map(Nanos::get) {
        None => {
            let n = distribution.count;
            let shares = Shares::new(n, &least, &most);
            Some(figures(n, None, |p| shares.quantile(p)))
        }
        Some(period) if period > 0 => {
            let (n_low, n_high) = (least.total(period)?, most.total(period)?);
            // The more values there are in all, the more of them may lie above the quantile.
            let low = |p| least.exceeded_by(n_high - rank(n_high, p), period);
            let high = |p| most.exceeded_by(n_low - rank(n_low, p), period);
            Some(figures(n_low, Some(n_high), |p| (low(p), high(p))))
        }
        Some(_) => None,
    }
}

/// Returns the figures that at least `n_low` values support; `quantile` returns a quantile's lower and upper bound.
fn figures(n_low: u64, n_high: Option<u64>, quantile: impl Fn(Fraction) -> (Nanos, Nanos)) -> CorrectedBounds {
    let bounds = |p| {
        supports_quantile(n_low, p).then(|| {
            let (low, high) = quantile(p);
            Bounds { low: Some(low.min(high)), high: Some(high) }
        })
    };
    CorrectedBounds {
        n_low,
        n_high,
        p50: bounds(Fraction::P50),
        p90: bounds(Fraction::P90),
        p99: bounds(Fraction::P99),
        p999: bounds(Fraction::P999),
    }
}

/// The values of wake-ups with their counts, which stand for the corrected series.
struct WakeCounts {
    values: Vec<(i64, u64)>,
}

impl WakeCounts {
    /// Returns the series if each value is the smallest it can be.
    fn lowest(of: &Distribution) -> Option<Self> {
        let floor = of.min.unwrap_or(Nanos::MIN);
        let buckets = of.buckets.iter().map(|(low, _, count)| ((*low).max(floor), *count));
        Self::new(buckets, of, of.outside_from.or(of.min))
    }

    /// Returns the series if each value is the largest it can be.
    fn highest(of: &Distribution) -> Option<Self> {
        let ceiling = of.max.unwrap_or(Nanos::MAX);
        Self::new(of.buckets.iter().map(|(_, high, count)| ((*high).min(ceiling), *count)), of, of.max)
    }

    fn new(buckets: impl Iterator<Item = (Nanos, u64)>, of: &Distribution, outside: Option<Nanos>) -> Option<Self> {
        let mut values: Vec<(i64, u64)> = buckets.map(|(value, count)| (value.get(), count)).collect();
        if of.outside() > 0 {
            values.push((outside?.get(), of.outside()));
        }
        Some(Self { values })
    }

    /// Returns the number of values of the corrected series; `None` if it is too large to count.
    fn total(&self, period: i64) -> Option<u64> {
        u64::try_from(self.above(i64::MIN, period)).ok()
    }

    /// Returns how many values of the corrected series lie above a threshold.
    fn above(&self, threshold: i64, period: i64) -> u128 {
        // What a period felt is never below zero; only the value of a wake-up itself can be.
        let floor = i128::from(threshold.max(-1));
        let each = |value: i64| match (value > threshold, i128::from(value) - floor) {
            (false, _) => 0,
            (true, over) if over > 0 => over.unsigned_abs().div_ceil(u128::from(period.unsigned_abs())),
            (true, _) => 1,
        };
        self.values
            .iter()
            .map(|(value, count)| each(*value).saturating_mul(u128::from(*count)))
            .fold(0, u128::saturating_add)
    }

    /// Returns the smallest value that at most `most` values of the corrected series lie above.
    fn exceeded_by(&self, most: u64, period: i64) -> Nanos {
        self.first(|threshold| self.above(threshold, period) <= u128::from(most))
    }

    /// Returns the smallest threshold within the values for which a statement holds that holds for all larger ones, too.
    fn first(&self, holds: impl Fn(i64) -> bool) -> Nanos {
        let largest = self.values.iter().map(|(value, _)| *value).max().unwrap_or(0);
        let smallest = self.values.iter().map(|(value, _)| *value).min().unwrap_or(0).min(0);
        let (mut from, mut to) = (smallest, largest);
        while from < to {
            let middle = from.midpoint(to).min(to - 1);
            if holds(middle) { to = middle } else { from = middle + 1 }
        }
        Nanos::new(to)
    }
}

/// Keeps the bounds true although sums are rounded.
const ROUNDING: f64 = 1e-9;

/// The shares of the corrected series that can lie above a threshold, whatever the period: of values that are at least
/// `least` and at most `most`.
///
/// Of n values let k lie above a threshold x, let S be the sum of all values and A the sum of what exceeds x, early
/// wake-ups counting as zero. With a period T the corrected series has between max(n, S/T) and n + S/T values, of which
/// between max(k, A/T) and k + A/T lie above x. Their share is therefore at least
/// max(k, A/T) / (n + S/T), which is smallest at T = A/k, where it is 1 / (n/k + S/A); and at most
/// (k + A/T) / max(n, S/T), which is largest at T = S/n, where it is k/n + A/S.
struct Shares<'a> {
    n: f64,
    least: &'a WakeCounts,
    most: &'a WakeCounts,
    /// Sums of all values of `least` and of `most`, in ns.
    sums: (f64, f64),
}

impl<'a> Shares<'a> {
    fn new(n: u64, least: &'a WakeCounts, most: &'a WakeCounts) -> Self {
        Self { n: n as f64, least, most, sums: (least.sum_above(0), most.sum_above(0)) }
    }

    /// Returns the lower and the upper bound of a quantile.
    fn quantile(&self, p: Fraction) -> (Nanos, Nanos) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::omission::omitted;
    use crate::quantile::of_sorted;

    fn distribution(values: &[i64], width: i64, last: i64) -> Distribution {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let low = |value: i64| value.div_euclid(width) * width;
        let kept = sorted.iter().filter(|value| **value < last);
        let bucket = |value: &i64| (Nanos::new(low(*value)), Nanos::new(low(*value) + width - 1), 1);
        Distribution {
            cell: 0,
            quantity: Quantity::Oversleep,
            count: values.len() as u64,
            buckets: kept.map(bucket).collect(),
            outside_from: Some(Nanos::new(last)),
            min: sorted.first().map(|value| Nanos::new(low(*value))),
            max: sorted.last().map(|value| Nanos::new(low(*value) + width - 1)),
            mean_ns: None,
            lost: vec![Loss::SkippedPeriods],
        }
    }

    /// Returns all values of the corrected series, sorted.
    fn enumerated(values: &[i64], period: i64) -> Vec<Nanos> {
        let felt = values.iter().flat_map(|value| {
            let value = Nanos::new(*value);
            let more = omitted(value, Nanos::new(period), u64::MAX).count.cast_signed();
            (0..=more).map(move |number| value - Nanos::new(period) * number)
        });
        let mut felt: Vec<Nanos> = felt.collect();
        felt.sort_unstable();
        felt
    }

    /// Returns Lehmer's generator of numbers below a limit.
    fn lehmer(mut state: u64) -> impl FnMut(i64) -> i64 {
        move |below| {
            state = state * 48_271 % 2_147_483_647;
            state.cast_signed() % below
        }
    }

    /// Returns quantiles of sorted values, each with the lower and upper bound that were found.
    fn beside(sorted: &[Nanos], found: &CorrectedBounds) -> [(Nanos, Nanos, Nanos); 3] {
        [(Fraction::P50, found.p50), (Fraction::P90, found.p90), (Fraction::P99, found.p99)].map(|(p, bounds)| {
            let bounds = bounds.unwrap();
            (of_sorted(sorted, p).unwrap(), bounds.low.unwrap(), bounds.high.unwrap())
        })
    }

    #[test]
    fn bounds_hold_the_quantiles_of_the_series_written_out() {
        // Some early, most below a period, a few over many periods.
        let mut random = lehmer(1);
        for round in 0..200 {
            let period = 1_000 + random(9_000);
            let values: Vec<i64> = (0..400)
                .map(|number| if number % 40 == round % 40 { random(400_000) } else { random(3_000) - 200 })
                .collect();
            let all = enumerated(&values, period);
            for (width, last, exact) in [(1, i64::MAX, true), (700, i64::MAX, false), (100, 20_000, false)] {
                let found = corrected(&distribution(&values, width, last), Some(Nanos::new(period))).unwrap();
                let n = all.len() as u64;
                assert!(found.n_low <= n && n <= found.n_high.unwrap(), "round {round}");
                for (truth, low, high) in beside(&all, &found) {
                    assert!(low <= truth && truth <= high, "round {round}, width {width}: {truth} in {low} to {high}");
                    assert!(!exact || low == high, "round {round}: {low} to {high}");
                }
            }
        }
    }

    #[test]
    fn without_a_period_the_bounds_hold_for_every_period() {
        // As above; one value in `rare` spans many periods.
        let mut random = lehmer(7);
        for round in 0..60 {
            let rare = 5 + round * 3;
            let values: Vec<i64> =
                (0..400).map(|number| if number % rare == 0 { random(300_000) } else { random(3_000) - 200 }).collect();
            for (width, last) in [(1, i64::MAX), (700, i64::MAX), (100, 20_000)] {
                let found = corrected(&distribution(&values, width, last), None).unwrap();
                assert_eq!((found.n_low, found.n_high), (400, None));
                for period in [100, 500, 1_500, 4_000, 30_000, 150_000, 400_000] {
                    let all = enumerated(&values, period);
                    for (truth, low, high) in beside(&all, &found) {
                        assert!(low <= truth && truth <= high, "round {round}, {period}: {truth} in {low} to {high}");
                    }
                }
            }
        }
    }

    #[test]
    fn without_a_period_a_stop_bounds_the_percentile_more_closely_than_its_length() {
        // 3000 wake-ups, each 50 µs late; ten stops of 50 ms each.
        let mut values = vec![50_000; 3_000];
        values.extend([50_000_000; 10]);
        let p99 = corrected(&distribution(&values, 1, i64::MAX), None).unwrap().p99.unwrap();
        let high = p99.high.unwrap().get();
        // k/n = 0.0033; of S = 650 ms, A may be 0.00668: 4.34 ms of ten stops, 434 µs of each.
        assert!((49_565_000..49_567_000).contains(&high), "{high}");
        assert_eq!(p99.low, Some(Nanos::new(50_000)), "{p99:?}");
    }

    #[test]
    fn only_series_that_lack_skipped_periods_are_corrected() {
        let period = Some(Nanos::new(1_000));
        let skipping = distribution(&[500; 1_000], 1, i64::MAX);
        assert!(corrected(&skipping, period).is_some() && corrected(&skipping, None).is_some());
        assert!(corrected(&skipping, Some(Nanos::ZERO)).is_none());
        let complete = Distribution { lost: vec![Loss::Times], ..skipping.clone() };
        assert!(
            corrected(&complete, period).is_none() && corrected(&complete, None).is_none(),
            "each period has its wake-up"
        );
        let hiccups = Distribution { quantity: Quantity::Hiccup, ..skipping.clone() };
        assert!(corrected(&hiccups, period).is_none() && corrected(&hiccups, None).is_none(), "corrected already");
        let open = Distribution { max: None, count: 1_001, ..skipping };
        assert!(
            corrected(&open, period).is_none() && corrected(&open, None).is_none(),
            "a value without an upper bound"
        );
    }

    #[test]
    fn a_value_of_years_is_not_written_out() {
        let years = distribution(&[i64::MAX >> 1; 400], 1, i64::MAX);
        let found = corrected(&years, Some(Nanos::MICROSECOND)).unwrap();
        assert_eq!(found.n_low, 400 * ((i64::MAX >> 1).unsigned_abs() / 1_000 + 1));
    }
}
