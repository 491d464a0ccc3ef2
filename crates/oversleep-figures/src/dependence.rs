//! How far a quantile of one run can be trusted when its sleeps are not independent.
//!
//! The stationary bootstrap (Politis and Romano, "The Stationary Bootstrap", JASA 89, 1994) resamples blocks of random
//! length. Its variance of a mean has a closed form (their Lemma 1), and a quantile's uncertainty is that of the share
//! of samples at or below it, so no random numbers are needed here. The expected block length is chosen from the
//! samples' own correlation (Politis and White, "Automatic Block-Length Selection", Econometric Reviews 23, 2004, as
//! corrected by Patton, Politis and White, same journal 28, 2009).

use super::quantile::{Fraction, place};

/// Standard normal quantile of 97.5 %.
const Z: f64 = 1.959_964;

/// A quantile and its 95 % interval; all three are values of the series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuantileInterval {
    /// The quantile by nearest rank.
    pub value: i64,
    /// Lower end.
    pub low: i64,
    /// Upper end.
    pub high: i64,
}

/// Returns the quantile of a series of values in order of time, with an interval that allows for their dependence;
/// `None` where the interval would reach beyond the values.
pub fn quantile(series: &[i64], p: Fraction) -> Option<QuantileInterval> {
    let mut sorted = series.to_vec();
    sorted.sort_unstable();
    let value = *sorted.get(place(sorted.len(), p.as_f64()))?;
    let n = series.len() as f64;
    // The variance with independent samples is the least one used: if no value is above the quantile, the estimate
    // from the series is too small.
    let least = p.as_f64() * (1.0 - p.as_f64());
    let half = Z * (variance_of_share(&Below::new(series, value)).max(least) / n).sqrt();
    // Ranks p·n ± half·n, rounded outwards; both have to be from 1 to n.
    let low = (n * (p.as_f64() - half)).floor();
    let high = (n * (p.as_f64() + half)).ceil();
    if low < 1.0 || high > n {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 1 to n
    let at = |rank: f64| sorted.get(rank as usize - 1).copied();
    Some(QuantileInterval { value, low: at(low)?, high: at(high)? })
}

/// Which values of a series are at or below a limit: one bit each, so that a correlation is a count of bits.
struct Below {
    words: Vec<u64>,
    n: usize,
    ones: u64,
}

impl Below {
    fn new(series: &[i64], limit: i64) -> Self {
        let mut words = vec![0_u64; series.len().div_ceil(64)];
        for (at, _) in series.iter().enumerate().filter(|(_, value)| **value <= limit) {
            words[at / 64] |= 1 << (at % 64);
        }
        let ones = words.iter().map(|word| u64::from(word.count_ones())).sum();
        Self { words, n: series.len(), ones }
    }

    /// Returns the autocovariance at a lag, divided by `n` for every lag, as usual.
    fn covariance(&self, lag: usize) -> f64 {
        let (skip, shift) = (lag / 64, lag % 64);
        let word = |at: usize| self.words.get(at).copied().unwrap_or(0);
        let both = |(at, first): (usize, &u64)| {
            let later = word(at + skip) >> shift;
            let carried = if shift == 0 { 0 } else { word(at + skip + 1) << (64 - shift) };
            u64::from((first & (later | carried)).count_ones())
        };
        let both: u64 = self.words.iter().enumerate().map(both).sum();
        // Σ (x_i − m)(x_{i+lag} − m) over the pairs at this lag.
        let (n, mean) = (self.n as f64, self.ones as f64 / self.n as f64);
        let heads = self.ones - self.count(self.n - lag, self.n);
        let tails = self.ones - self.count(0, lag);
        (both as f64 - mean * (heads + tails) as f64 + (n - lag as f64) * mean * mean) / n
    }

    /// Returns how many of the values `from..to` are at or below the limit.
    fn count(&self, from: usize, to: usize) -> u64 {
        (from..to).filter(|&at| self.words[at / 64] >> (at % 64) & 1 == 1).count() as u64
    }
}

/// Returns `n` times the stationary bootstrap's variance of the share, with a block length chosen from the series.
fn variance_of_share(below: &Below) -> f64 {
    let variance = below.covariance(0);
    if variance <= 0.0 {
        return 0.0;
    }
    let n = below.n as f64;
    let stop = 1.0 / block_length(below);
    // Beyond seven block lengths the weights are below a thousandth.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive, below n
    let lags = ((7.0 / stop).ceil() as usize).min(below.n - 1);
    let weight = |lag: f64| (1.0 - lag / n) * (1.0 - stop).powf(lag) + lag / n * (1.0 - stop).powf(n - lag);
    let sum: f64 = (1..=lags).map(|lag| weight(lag as f64) * below.covariance(lag)).sum();
    // A series with negative correlation must not get a narrower interval than independent samples would.
    (variance + 2.0 * sum).max(variance)
}

/// Returns the expected block length, at least 1, by Politis and White's rule.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small positive numbers
fn block_length(below: &Below) -> f64 {
    let n = below.n as f64;
    let quiet = (n.log10().sqrt().ceil() as usize).max(5);
    let most = (n.sqrt().ceil() as usize + quiet).min(below.n - 1);
    let variance = below.covariance(0);
    let limit = 2.0 * (n.log10() / n).sqrt();
    let correlations: Vec<f64> = (1..=most).map(|lag| below.covariance(lag) / variance).collect();
    let calm = correlations.windows(quiet).position(|next| next.iter().all(|value| value.abs() < limit));
    let bandwidth = 2 * calm.unwrap_or(most).max(1);
    let (mut spectrum, mut slope) = (variance, 0.0);
    for lag in 1..=bandwidth.min(below.n - 1) {
        let share = lag as f64 / bandwidth as f64;
        let taper = if share <= 0.5 { 1.0 } else { 2.0 * (1.0 - share) };
        let term = 2.0 * taper * below.covariance(lag);
        spectrum += term;
        slope += term * lag as f64;
    }
    let most = (3.0 * n.sqrt()).min(n / 3.0).ceil().max(1.0);
    if spectrum <= 0.0 {
        return 1.0;
    }
    (slope * slope / (spectrum * spectrum) * n).cbrt().clamp(1.0, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// Returns a first-order autoregressive series with this correlation, in nanoseconds.
    fn autoregressive(n: usize, correlation: f64, random: &mut Pcg64Mcg) -> Vec<i64> {
        let mut level = 0.0;
        (0..n)
            .map(|_| {
                let noise: f64 = (0..12).map(|_| random.random_range(0.0..1.0)).sum::<f64>() - 6.0;
                level = correlation * level + (1.0 - correlation * correlation).sqrt() * noise;
                #[allow(clippy::cast_possible_truncation)] // some thousands
                let ns = (1_000.0 * level).round() as i64;
                ns
            })
            .collect()
    }

    #[test]
    fn covariances_are_those_of_their_definition() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let series = autoregressive(333, 0.6, &mut random);
        let below = Below::new(&series, 0);
        let bits: Vec<f64> = series.iter().map(|value| f64::from(u8::from(*value <= 0))).collect();
        let mean = bits.iter().sum::<f64>() / 333.0;
        for lag in [0, 1, 2, 63, 64, 65, 128, 332] {
            let sum: f64 = (0..333 - lag).map(|at| (bits[at] - mean) * (bits[at + lag] - mean)).sum();
            assert!((below.covariance(lag) - sum / 333.0).abs() < 1e-12, "lag {lag}");
        }
    }

    /// Compares the closed form with a stationary bootstrap that draws at random.
    #[test]
    fn the_variance_is_that_of_drawing() {
        let mut random = Pcg64Mcg::seed_from_u64(2);
        let series = autoregressive(600, 0.8, &mut random);
        let below = Below::new(&series, 300);
        let stop = 1.0 / block_length(&below);
        let shares: Vec<f64> = (0..6_000)
            .map(|_| {
                let mut at = random.random_range(0..600);
                let mut hits = 0;
                for _ in 0..600 {
                    hits += u32::from(series[at] <= 300);
                    let fresh = random.random_range(0.0..1.0) < stop;
                    at = if fresh { random.random_range(0..600) } else { (at + 1) % 600 };
                }
                f64::from(hits) / 600.0
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / 6_000.0;
        let drawn = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / 6_000.0 * 600.0;
        let closed = variance_of_share(&below);
        assert!((closed / drawn - 1.0).abs() < 0.08, "{closed} against {drawn}");
    }

    /// Intervals cover the true median of dependent series nearly as often as they claim. The binomial interval of
    /// independent samples covers it in six of ten.
    #[test]
    fn intervals_cover_the_median_of_dependent_series() {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        for correlation in [0.0, 0.7, 0.9] {
            let covered = (0..400)
                .filter(|_| {
                    let series = autoregressive(2_000, correlation, &mut random);
                    quantile(&series, Fraction::P50).is_some_and(|found| found.low <= 0 && 0 <= found.high)
                })
                .count();
            assert!(covered >= 360, "correlation {correlation}: {covered} of 400");
        }
    }

    #[test]
    fn what_the_values_cannot_bound_has_no_interval() {
        let series: Vec<i64> = (0..300).collect();
        assert!(quantile(&series, Fraction::P50).is_some());
        assert_eq!(quantile(&series, Fraction::P999), None);
        assert_eq!(quantile(&[], Fraction::P50), None);
        let same = quantile(&[7; 50], Fraction::P50).unwrap();
        assert_eq!((same.value, same.low, same.high), (7, 7, 7));
    }
}
