//! How well predicted lateness matches measured lateness.

use oversleep_figures::quantile::place;
use oversleep_recording::document::Fit;

/// Returns how well pairs (measured, predicted), in ns, match; `None` for fewer than two.
pub(super) fn measure(pairs: &[(i64, i64)]) -> Option<Fit> {
    if pairs.len() < 2 {
        return None;
    }
    let mut rests: Vec<i64> = pairs.iter().map(|&(late, predicted)| late.saturating_sub(predicted)).collect();
    rests.sort_unstable();
    let at = |share: f64| rests[place(rests.len(), share)];
    let (p01, p50, p99) = (at(0.01), at(0.5), at(0.99));
    let mut sizes: Vec<u64> = rests.iter().map(|rest| rest.unsigned_abs()).collect();
    let middle = place(sizes.len(), 0.5);
    let size = i64::try_from(*sizes.select_nth_unstable(middle).1).unwrap_or(i64::MAX);
    let of_square = |of: &dyn Fn(&(i64, i64)) -> f64| pairs.iter().map(|pair| of(pair).powi(2)).sum::<f64>();
    let lateness = of_square(&|pair| pair.0 as f64);
    let left = of_square(&|pair| rest(pair));
    let spread = variance(pairs.iter().map(|pair| pair.0 as f64));
    let predicted = variance(pairs.iter().map(|pair| pair.1 as f64));
    Some(Fit {
        sleeps: pairs.len(),
        variance_share: share(pairs),
        offset_free_share: (spread > 0.0).then(|| 1.0 - variance(pairs.iter().map(rest)) / spread),
        trimmed_share: share(&trimmed(pairs, p50)),
        level_share: (lateness > 0.0).then(|| 1.0 - left / lateness),
        predicted_variance: (spread > 0.0).then(|| predicted / spread),
        p01,
        p50,
        p99,
        size,
    })
}

fn rest(pair: &(i64, i64)) -> f64 {
    pair.0 as f64 - pair.1 as f64
}

fn share(pairs: &[(i64, i64)]) -> Option<f64> {
    let all = variance(pairs.iter().map(|pair| pair.0 as f64));
    let left = pairs.iter().map(|pair| rest(pair).powi(2)).sum::<f64>() / pairs.len().max(1) as f64;
    (all > 0.0).then(|| 1.0 - left / all)
}

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let (count, sum) = values.clone().fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    let mean = if count > 0.0 { sum / count } else { 0.0 };
    values.map(|value| (value - mean).powi(2)).sum::<f64>() / f64::max(count, 1.0)
}

/// Returns the pairs without the hundredth whose residuals are furthest from `middle`.
fn trimmed(pairs: &[(i64, i64)], middle: i64) -> Vec<(i64, i64)> {
    let mut pairs = pairs.to_vec();
    let keep = pairs.len() - pairs.len() / 100;
    if keep < pairs.len() {
        pairs.select_nth_unstable_by(keep, |a, b| {
            let off = |pair: &(i64, i64)| (rest(pair) - middle as f64).abs();
            off(a).total_cmp(&off(b))
        });
        pairs.truncate(keep);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: Option<f64>, expected: f64) {
        assert!((value.unwrap() - expected).abs() < 1e-9, "{value:?} for {expected}");
    }

    #[test]
    fn shares_by_hand() {
        // Lateness 0, 10, 20, 30 (variance 125); residuals 1, −1, 1, −1 (variance 1).
        let fit = measure(&[(0, -1), (10, 11), (20, 19), (30, 31)]).unwrap();
        near(fit.variance_share, 1.0 - 1.0 / 125.0);
        near(fit.level_share, 1.0 - 4.0 / 1_400.0);
        assert_eq!((fit.p01, fit.p50, fit.p99, fit.size), (-1, -1, 1, 1));
        near(fit.offset_free_share, 1.0 - 1.0 / 125.0);
        // A constant of 20 added: it lowers the share of the variation, but not the share that forgives an offset.
        let off = measure(&[(0, 20), (10, 30), (20, 40), (30, 50)]).unwrap();
        near(off.variance_share, 1.0 - 400.0 / 125.0);
        near(off.offset_free_share, 1.0);
        near(measure(&[(0, 15), (30, 15)]).unwrap().variance_share, 0.0);
        near(measure(&[(0, 30), (30, 0)]).unwrap().variance_share, -3.0);
    }

    #[test]
    fn a_constant_lateness_has_no_variance_but_a_level() {
        let fit = measure(&[(50, 49); 5]).unwrap();
        assert_eq!((fit.variance_share, fit.trimmed_share, fit.predicted_variance), (None, None, None));
        near(fit.level_share, 1.0 - 1.0 / 2_500.0);
        assert_eq!(measure(&[(1, 1)]), None);
    }

    #[test]
    fn one_late_sleep_in_a_hundred_is_trimmed() {
        let mut pairs: Vec<(i64, i64)> = (0..100).map(|at| (at * 10, at * 10)).collect();
        pairs[40].0 += 1_000_000;
        let fit = measure(&pairs).unwrap();
        assert!(fit.variance_share.unwrap() < 0.01, "{fit:?}");
        near(fit.trimmed_share, 1.0);
    }
}
