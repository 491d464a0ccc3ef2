//! A quantile under a remedy, with an interval for a measurement of as many sleeps.

use oversleep_figures::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_recording::document::PredictedQuantile;
use oversleep_sys::units::Nanos;

/// Standard deviation of a quantile between two runs under equal conditions beyond chance, as a part of it: another
/// processor, another minute of the host. Measured with the constants of [`super::wake`].
const RERUN: f64 = 0.06;
/// Least half-width of an interval, in ns: the tolerance between witnesses.
const GIVE: f64 = 1e3;
/// Half the width of a two-sided 95 % interval of a normal distribution, in standard deviations.
const SIGMAS: f64 = 1.96;
/// Number of stretches of a run whose counts of late sleeps show whether those come in bursts.
const STRETCHES: usize = 50;

/// How a remedy changes each sleep's lateness beyond the part that it removes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Change {
    /// Usual cost of waking, in ns.
    pub(super) cost: f64,
    /// Factor by which it changes, and the factor's standard error.
    pub(super) factor: f64,
    pub(super) error: f64,
    /// How much later the sleeps may be, in ns, because the removed part may be smaller.
    pub(super) less: f64,
    /// How much earlier they may be, in ns.
    pub(super) more: f64,
}

/// Returns a quantile before and after the remedy; `series`: latenesses without the removed part, in order of sequence.
/// `None` for too few sleeps, and where the interval is wider than both the quantile and its change.
///
/// The interval is for a measurement of as many sleeps, so that chance acts on both. Where late sleeps come in bursts,
/// they count as fewer. The widths by chance, by the change's error and by another run are independent.
pub(super) fn predict(before: &[i64], series: &[i64], p: Fraction, change: Change) -> Option<PredictedQuantile> {
    let n = series.len();
    if !supports_quantile(n as u64, p) {
        return None;
    }
    let mut sorted = series.to_vec();
    sorted.sort_unstable();
    let unshifted = of_sorted(&sorted, p)?;
    let (share, all) = (p.as_f64(), n as f64);
    let spread = SIGMAS * (2.0 * bursts(series, unshifted) * all * share * (1.0 - share)).sqrt();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held between the first and the last
    let ranked = |rank: f64| sorted[((rank - 1.0).round().max(0.0) as usize).min(n - 1)];
    let down = (unshifted - ranked((all * share - spread).floor())) as f64;
    let up = (ranked((all * share + spread).ceil() + 1.0) - unshifted) as f64;
    // What a late sleep has beyond the median may be a dear wake-up, which changes too, or a delay, which does not.
    let beyond = (unshifted - of_sorted(&sorted, Fraction::P50)?).max(0) as f64;
    let saved = 1.0 - change.factor;
    let after = unshifted as f64 - saved * (change.cost + 0.5 * beyond);
    let known = SIGMAS * (change.error * change.cost).hypot(RERUN * after.abs()).hypot(0.25 * saved * beyond);
    let width = |chance: f64| chance.hypot(known).hypot(GIVE);
    let low = after - width(down) - change.more;
    let low = if after < 0.0 { low } else { low.max(0.0) };
    let high = after + width(up) + change.less;
    let before_ns = of_sorted(before, p)?;
    let useful = high - low <= after.abs() || high - low < (before_ns as f64 - after).abs();
    let [after_ns, low_ns, high_ns] = [after, low, high].map(|ns| Nanos::from_f64(ns).get());
    useful.then_some(PredictedQuantile { before_ns, after_ns, low_ns, high_ns })
}

/// Returns how much more the counts of sleeps above a quantile vary between stretches of the run than chance would have
/// it: the ratio of variances, at least 1.
fn bursts(series: &[i64], quantile: i64) -> f64 {
    let length = series.len() / STRETCHES;
    if length < 2 {
        return 1.0;
    }
    let above = |stretch: &[i64]| stretch.iter().filter(|late| **late > quantile).count() as f64;
    let counts: Vec<f64> = series.chunks_exact(length).map(above).collect();
    let mean = counts.iter().sum::<f64>() / counts.len() as f64;
    let share = mean / length as f64;
    let chance = mean * (1.0 - share);
    let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / (counts.len() - 1) as f64;
    if chance > 0.0 { (variance / chance).max(1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAME: Change = Change { cost: 15_000.0, factor: 1.0, error: 0.0, less: 0.0, more: 0.0 };

    /// Returns latenesses spread evenly from 10 to 20 µs, in a shuffled order.
    fn even() -> Vec<i64> {
        (0..1_000).map(|at| 10_000 + (at * 379 % 1_000) * 10).collect()
    }

    #[test]
    fn the_interval_carries_chance_and_what_is_not_known() {
        let series = even();
        let before: Vec<i64> = series.iter().map(|late| late + 50_000).collect();
        let plain = predict(&before, &series, Fraction::P50, SAME).expect("a prediction");
        assert_eq!(plain.after_ns, 14_990);
        let wide = Change { cost: 10_000.0, factor: 0.9, error: 0.2, less: 500.0, more: 0.0 };
        let wide = predict(&before, &series, Fraction::P50, wide).expect("a prediction");
        assert_eq!(wide.after_ns, 13_990);
        assert!(wide.high_ns - wide.after_ns > plain.high_ns - plain.after_ns + 500, "{plain:?} {wide:?}");
        let tail = predict(&before, &series, Fraction::P99, Change { factor: 0.9, ..SAME }).expect("a prediction");
        assert_eq!(tail.after_ns, 19_890 - 1_500 - 245);
        assert_eq!(predict(&before[..100], &series[..100], Fraction::P99, SAME), None);
    }

    #[test]
    fn bursts_count_as_fewer_sleeps() {
        let steady = even();
        let middle = 14_990;
        assert!(bursts(&steady, middle) < 1.5);
        let mut sorted = steady.clone();
        sorted.sort_unstable();
        assert!(bursts(&sorted, middle) > 15.0);
        assert!((bursts(&[1, 2, 3], 2) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_interval_wider_than_the_figure_and_its_change_is_not_stated() {
        let mut series = even();
        for late in series.iter_mut().step_by(100) {
            *late = 3_000_000;
        }
        assert_eq!(predict(&series, &series, Fraction::P99, SAME), None);
        assert!(predict(&series, &series, Fraction::P50, SAME).is_some());
    }
}
