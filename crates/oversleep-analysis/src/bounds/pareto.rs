//! The tail beyond a threshold as a generalised Pareto distribution (Pickands, "Statistical inference using extreme order
//! statistics", Annals of Statistics 3, 1975): P(excess > y) = (1 + ξ y / σ)^(−1/ξ).
//!
//! Shape and scale are not one estimate but a posterior on a grid: the next sleep's probability to be later than a limit is then
//! the mean over what the exceedances leave possible, so that a bound holds on average over recordings, however few they are.

use statrs::function::beta::beta_reg;
use statrs::function::gamma::gamma_ur;

/// Standard deviation of the shape before the samples: half of the weight lies between −0.34 and 0.34, where the tails of light
/// (0) and usual heavy distributions are, and a shape of 1, whose mean does not exist, is not excluded.
const USUAL_SHAPE: f64 = 0.5;
/// Shapes on the grid: below −1 the likelihood grows without limit; above 2 a tail has no use as a tolerance.
const SHAPES: (f64, f64) = (-1.0, 2.0);
/// Points of the grid in either direction, and its half width in standard deviations of the estimate.
const POINTS: i32 = 31;
const WIDTH: f64 = 5.0;

/// One tail that the exceedances leave possible.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    shape: f64,
    scale: f64,
    weight: f64,
}

impl Candidate {
    /// Returns the share of exceedances whose excess is above `y`.
    fn survival(self, y: f64) -> f64 {
        survival(self.shape, self.scale, y)
    }
}

fn survival(shape: f64, scale: f64, y: f64) -> f64 {
    if shape.abs() < 1e-9 {
        return (-y / scale).exp();
    }
    let base = 1.0 + shape * y / scale;
    if base <= 0.0 { 0.0 } else { base.powf(-1.0 / shape) }
}

/// A tail with what its exceedances leave open.
#[derive(Debug)]
pub(super) struct Tail {
    candidates: Vec<Candidate>,
    /// Expected share of all samples that exceed the threshold, and the numbers of a beta distribution of it.
    share: f64,
    beta: (f64, f64),
    /// Posterior means.
    pub(super) shape: f64,
    pub(super) scale: f64,
}

impl Tail {
    /// Fits excesses above a threshold, in rising order, of `n` samples; they count as `events` independent ones, and each as `weight`
    /// of one where it is asked how many there are.
    pub(super) fn fit(excesses: &[f64], n: usize, events: f64, weight: f64) -> Self {
        let (shape, scale) = estimate(excesses);
        // Asymptotic deviations of the maximum-likelihood estimates (Smith, Biometrika 72, 1985).
        let spread = (1.0 + shape).max(0.3) / events.sqrt();
        let spread_of_log = (2.0 * (1.0 + shape).max(0.3) / events).sqrt();
        // Exceedances that come together are fewer pieces of evidence than their number.
        let evidence = events / excesses.len() as f64;
        let mut candidates = Vec::new();
        for at in 0..POINTS {
            let step = |at: i32| WIDTH * (2.0 * f64::from(at) / f64::from(POINTS - 1) - 1.0);
            let xi = shape + spread * step(at);
            if !(SHAPES.0..=SHAPES.1).contains(&xi) {
                continue;
            }
            for along in 0..POINTS {
                let sigma = scale * (spread_of_log * step(along)).exp();
                let log = evidence * log_likelihood(excesses, xi, sigma) - 0.5 * (xi / USUAL_SHAPE).powi(2);
                if log.is_finite() {
                    candidates.push(Candidate { shape: xi, scale: sigma, weight: log });
                }
            }
        }
        let top = candidates.iter().map(|one| one.weight).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = candidates.iter().map(|one| (one.weight - top).exp()).sum();
        for one in &mut candidates {
            one.weight = (one.weight - top).exp() / sum;
        }
        let mean = |of: fn(&Candidate) -> f64| candidates.iter().map(|one| one.weight * of(one)).sum::<f64>();
        let (shape, scale) = (mean(|one| one.shape), mean(|one| one.scale));
        let exceeding = excesses.len() as f64;
        let beta = (exceeding * weight + 0.5, (n as f64 - exceeding) * weight + 0.5);
        Self { share: beta.0 / (beta.0 + beta.1), beta, shape, scale, candidates }
    }

    /// Returns the probability that the next sample exceeds the threshold by more than `y`.
    fn probability(&self, y: f64) -> f64 {
        self.share * self.candidates.iter().map(|one| one.weight * one.survival(y)).sum::<f64>()
    }

    /// Returns the excess that the next sample has more of with probability `risk`; the threshold must be exceeded more often.
    pub(super) fn bound(&self, risk: f64) -> f64 {
        self.excess_where(|y| self.probability(y) <= risk)
    }

    /// Returns the excess below which the quantile of `risk` lies with probability `certainty`.
    pub(super) fn quantile_limit(&self, risk: f64, certainty: f64) -> f64 {
        let below = |y: f64| -> f64 {
            let each = |one: &Candidate| {
                let share = risk / one.survival(y).max(f64::MIN_POSITIVE);
                one.weight * if share >= 1.0 { 1.0 } else { beta_reg(self.beta.0, self.beta.1, share) }
            };
            self.candidates.iter().map(each).sum()
        };
        self.excess_where(|y| below(y) >= certainty)
    }

    /// Returns the least excess for which a condition holds that holds for all larger ones.
    fn excess_where(&self, holds: impl Fn(f64) -> bool) -> f64 {
        let (mut low, mut high) = (0.0, self.scale);
        while !holds(high) && high < 1e18 {
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if holds(middle) { high = middle } else { low = middle }
        }
        high
    }

    /// Returns how often excesses like these would fit the tail worse if it were the true one, from 0 to 1.
    ///
    /// Excesses are counted between the quantiles that halve, quarter, … the tail, as deep as five events are expected, by a χ² test
    /// with the two parameters' degrees of freedom taken off; and those beyond the last one again, as that is where a bound lies.
    pub(super) fn fit_probability(&self, excesses: &[f64], events: f64) -> f64 {
        let k = excesses.len() as f64;
        let depth = (events / FEWEST_IN_BIN).log2().floor().max(0.0);
        #[allow(clippy::cast_possible_truncation)] // some tens at most
        let depth = depth as i32;
        if depth < 3 {
            return 0.0;
        }
        let share = |y: f64| self.candidates.iter().map(|one| one.weight * one.survival(y)).sum::<f64>();
        let beyond = |halvings: i32| -> f64 {
            if halvings == 0 {
                return k;
            }
            let limit = self.excess_where(|y| share(y) <= 0.5_f64.powi(halvings));
            (excesses.len() - excesses.partition_point(|y| *y <= limit)) as f64
        };
        let counts: Vec<f64> = (0..=depth).map(beyond).collect();
        let mut deviation = 0.0;
        for (at, pair) in counts.windows(2).enumerate() {
            #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
            let expected = k * 0.5_f64.powi(at as i32 + 1);
            deviation += (pair[0] - pair[1] - expected).powi(2) / expected;
        }
        let (deepest, expected) = (counts[counts.len() - 1], k * 0.5_f64.powi(depth));
        let last = (deepest - expected).powi(2) / expected;
        deviation += last;
        let evidence = events / k;
        let worse = |freedom: i32, deviation: f64| {
            let half = deviation * evidence / 2.0;
            if half > 0.0 { gamma_ur(f64::from(freedom) / 2.0, half) } else { 1.0 }
        };
        worse(depth - 2, deviation).min(2.0 * worse(1, last)).min(1.0)
    }
}

/// Fewest events that a bin of the test of fit expects, as usual for χ² tests.
const FEWEST_IN_BIN: f64 = 5.0;
/// Fewest events of which a tail can be fitted and its fit be tested: four bins.
pub(super) const FEWEST_EVENTS: f64 = FEWEST_IN_BIN * 8.0;

fn log_likelihood(excesses: &[f64], shape: f64, scale: f64) -> f64 {
    let k = excesses.len() as f64;
    if shape.abs() < 1e-9 {
        return -k * scale.ln() - excesses.iter().sum::<f64>() / scale;
    }
    let last = excesses[excesses.len() - 1];
    if 1.0 + shape * last / scale <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let logs: f64 = excesses.iter().map(|y| (shape * y / scale).ln_1p()).sum();
    -k * scale.ln() - (1.0 / shape + 1.0) * logs
}

/// Returns shape and scale of excesses in rising order by the estimator of Zhang and Stephens ("A new and efficient estimation
/// method for the generalized Pareto distribution", Technometrics 51, 2009).
fn estimate(excesses: &[f64]) -> (f64, f64) {
    let k = excesses.len();
    let points = 20 + k.isqrt();
    let quarter = excesses[((k + 2) / 4).max(1) - 1].max(1e-9);
    let last = excesses[k - 1].max(1e-9);
    let mean_log = |theta: f64| excesses.iter().map(|y| (-theta * y).ln_1p()).sum::<f64>() / k as f64;
    let thetas: Vec<f64> = (1..=points)
        .map(|at| 1.0 / last + (1.0 - (points as f64 / (at as f64 - 0.5)).sqrt()) / (3.0 * quarter))
        .collect();
    let profile: Vec<f64> = thetas
        .iter()
        .map(|theta| {
            let shape = mean_log(*theta);
            k as f64 * ((-theta / shape).ln() - shape - 1.0)
        })
        .collect();
    let top = profile.iter().copied().filter(|log| log.is_finite()).fold(f64::NEG_INFINITY, f64::max);
    let weight = |log: &f64| if log.is_finite() { (log - top).exp() } else { 0.0 };
    let sum: f64 = profile.iter().map(weight).sum();
    let theta = thetas.iter().zip(&profile).map(|(theta, log)| theta * weight(log)).sum::<f64>() / sum;
    let shape = mean_log(theta).clamp(SHAPES.0, SHAPES.1);
    (shape, -shape / theta)
}
