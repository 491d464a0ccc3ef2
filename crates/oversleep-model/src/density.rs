//! The one density of residuals: a Bayesian tree with its marginal likelihood in closed form.
//!
//! Each hypothesis says when a sleep should end; what is left over is scored here. A node of the tree is flat, has
//! everything on one side, or splits by Jeffreys' rule, each with probability 1/3. The marginal likelihood is the
//! prequential score averaged over orders: no folds, no widths, and no penalty for many modes, skew or outliers. The same
//! residuals score the same under every law. All results are natural logarithms of densities per ns.

use oversleep_sim::law::floor;

/// The finest width that is told apart, in ns: no pair of clocks is read more exactly.
pub(crate) const RESOLUTION: f64 = 250.0;
/// Halvings at most; the resolution ends them long before.
const LEVELS: u32 = 34;
/// Logarithm of the probability of each of a node's three kinds.
const KIND: f64 = -1.098_612_288_668_109_8;
const LN_2: f64 = std::f64::consts::LN_2;
/// The scale up to which the axis is even, in ns; beyond it is logarithmic (asinh).
const UNIT: f64 = 250.0;
/// Up to this distance from the level every e-fold is as likely, in ns; beyond, Pareto with exponent 1.
const CORE: f64 = 1e6;
/// Floor of the density per e-fold beyond that: anything up to minutes happens.
const FLOOR: f64 = 0.02;
/// End of the axis, in e-folds.
const END: f64 = 27.0;

/// Half of all costs of waking are below this, in ns, in a flat distribution of their logarithms: nine wake-ups in ten
/// of an idle machine cost less than 150 µs.
const COST: f64 = 150e3;
/// Probability that a sleep without a law of its own ends early.
const EARLY: f64 = 0.03;

/// ln(exp(a) + exp(b)).
pub(crate) fn add(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    // A smaller part is below the rounding of 1.
    if low < high - 40.0 || low == f64::NEG_INFINITY { high } else { high + (1.0 + (low - high).exp()).ln() }
}

/// ln of the sum of exponentials; minus infinity for none.
pub(crate) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, add)
}

/// Tables of ln Γ(n + ½) − ln Γ(½) and of ln n!.
#[derive(Debug)]
pub(crate) struct Density {
    half: Vec<f64>,
    factorial: Vec<f64>,
    /// Score of a node with everything on one side, but for what is below it.
    one_side: Vec<f64>,
    /// Scores of two leaves that stay together for a number of levels, and then are parted or end together.
    parted: Vec<f64>,
    together: Vec<f64>,
    /// Place of [`CORE`] on the axis, and the axis' whole weight.
    edge: f64,
    total: f64,
}

impl Density {
    /// Returns the density for groups of at most `most` sleeps.
    pub(crate) fn new(most: usize) -> Self {
        let (mut half, mut factorial) = (vec![0.0], vec![0.0]);
        for n in 0..most {
            half.push(half[n] + (n as f64 + 0.5).ln());
            factorial.push(factorial[n] + (n as f64 + 1.0).ln());
        }
        let one_side = (0..=most).map(|n| add(half[n] - factorial[n] + KIND, KIND - LN_2) + n as f64 * LN_2).collect();
        let edge = (CORE / UNIT).asinh();
        let total = 2.0 * (edge + 1.0 - (edge - END).exp() + FLOOR * (END - edge));
        let mut density = Self { half, factorial, one_side, parted: Vec::new(), together: Vec::new(), edge, total };
        if most >= 2 {
            let levels = |first: f64| {
                let next = |below: &f64| Some(add(KIND, density.one_side[2] + below));
                std::iter::successors(Some(first), next).take(LEVELS as usize + 1).collect()
            };
            (density.parted, density.together) = (levels(add(KIND, density.split(1, 2))), levels(0.0));
        }
        density
    }

    /// Returns the score of residuals about a level that is known. Averaged over three placements of the finest cells, so
    /// that it hardly depends on where their borders lie.
    pub(crate) fn shape(&self, residuals: &[f64], step: f64) -> f64 {
        if residuals.is_empty() {
            return 0.0;
        }
        let fine = step.max(RESOLUTION);
        let mut total = 0.0;
        let mut at = |residual: &f64| {
            let (place, density) = self.base(*residual);
            let nats = density.ln();
            total += nats;
            (place, density * fine, depth(nats + fine.ln()))
        };
        let mut sorted = residuals.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let all: Vec<(f64, f64, u32)> = sorted.iter().map(&mut at).collect();
        let parts = [-1.0 / 3.0, 0.0, 1.0 / 3.0].map(|part| {
            // Places below 0 are the last ones of the axis; so moved, the leaves are in order but where steps are coarse.
            let first = all.partition_point(|(place, width, _)| place + part * width < 0.0);
            let moved = all[first..].iter().chain(&all[..first]);
            let mut leaves: Vec<(u64, u32)> =
                moved.map(|&(place, width, depth)| (leaf(place + part * width), depth)).collect();
            leaves.sort_unstable();
            self.node(&leaves, 0)
        });
        total + sum(parts) - 3f64.ln()
    }

    /// Returns the place of a residual on the axis, of which the whole part does not count, and its density.
    fn base(&self, residual: f64) -> (f64, f64) {
        let total = self.total;
        let z = asinh(residual / UNIT).clamp(-END, END);
        let beyond = z.abs() - self.edge;
        let (density, within) = if beyond < 0.0 {
            (1.0, z.abs())
        } else {
            let falling = (-beyond).exp();
            (falling + FLOOR, self.edge + 1.0 - falling + FLOOR * beyond)
        };
        // Turned, so that the level is far from the borders of halves at every depth.
        let place = within.copysign(z) / total + 1.0 / 3.0;
        (place, density / total / (residual * residual + UNIT * UNIT).sqrt())
    }

    /// Returns the score of a node's leaves, relative to a flat one.
    fn node(&self, leaves: &[(u64, u32)], level: u32) -> f64 {
        let n = leaves.len();
        if n < 2 || leaves[0].1 <= level {
            return 0.0;
        }
        let differ = leaves[0].0 ^ leaves[n - 1].0;
        if n == 2 {
            let same = differ.leading_zeros() - (u64::BITS - LEVELS);
            let scores = if same < leaves[0].1 { &self.parted } else { &self.together };
            return scores[(same.min(leaves[0].1) - level) as usize];
        }
        let bit = 1u64 << (LEVELS - 1 - level);
        // Of leaves in order, the first and the last are on one side if all are.
        if differ & bit == 0 {
            return add(KIND, self.one_side[n] + self.node(leaves, level + 1));
        }
        let left = leaves.partition_point(|leaf| leaf.0 & bit == 0);
        let below = self.node(&leaves[..left], level + 1) + self.node(&leaves[left..], level + 1);
        add(KIND, self.split(left, n) + below)
    }

    /// Returns the score of a node that splits `n` leaves after this many, but for what is below it.
    fn split(&self, left: usize, n: usize) -> f64 {
        self.half[left] + self.half[n - left] - self.factorial[n] + KIND + n as f64 * LN_2
    }

    /// Returns the score of residuals about a level of their own; `prior` gives the logarithm of the probability that the
    /// level lies within a width of a place.
    pub(crate) fn located(&self, values: &[f64], step: f64, prior: impl Fn(f64, f64) -> f64) -> f64 {
        let (level, half) = level(values);
        let error = half.max(step).max(RESOLUTION) * (std::f64::consts::TAU / values.len().max(1) as f64).sqrt();
        let rest: Vec<f64> = values.iter().map(|value| value - level).collect();
        self.shape(&rest, step) + prior(level, error).min(0.0)
    }

    /// Returns the score of lateness about one cost of waking.
    pub(crate) fn lateness(&self, late: &[f64], step: f64) -> f64 {
        self.located(late, step, cost)
    }
}

/// Returns the number of the leaf at a place on the axis.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // limited
fn leaf(place: f64) -> u64 {
    ((place - floor(place)) * (1u64 << LEVELS) as f64) as u64
}

/// Returns the depth at which a node is as wide as a part of the axis with this logarithm.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // limited
fn depth(part: f64) -> u32 {
    (-part / LN_2).clamp(0.0, f64::from(LEVELS)) as u32
}

/// As [`f64::rem_euclid`], to the rounding of the quotient, and much faster.
pub(crate) fn modulo(x: f64, period: f64) -> f64 {
    x - floor(x / period) * period
}

/// As [`f64::asinh`] to 1e-15, without its `hypot`, which matters only beyond 1e154.
fn asinh(x: f64) -> f64 {
    let size = x.abs();
    (size + (size * size + 1.0).sqrt()).ln().copysign(x)
}

/// Returns the middle of the shortest interval that holds half of the values, and half its width.
pub(crate) fn level(values: &[f64]) -> (f64, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    shortest(&sorted, sorted.len())
}

/// The same for sorted values, of which the first `starts` may begin the interval.
fn shortest(sorted: &[f64], starts: usize) -> (f64, f64) {
    let half = (starts / 2).max(1);
    let widths = (0..starts).filter_map(|at| Some((at, sorted.get(at + half)? - sorted[at])));
    match widths.min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((at, width)) => (sorted[at] + width / 2.0, width / 2.0),
        None => (sorted.first().copied().unwrap_or(0.0), 0.0),
    }
}

/// Returns where times lie within a period: the middle of the shortest arc with half of them, and half its width.
pub(crate) fn centre(times: &[f64], period: f64) -> (f64, f64) {
    let mut places: Vec<f64> = times.iter().map(|time| modulo(*time, period)).collect();
    places.sort_unstable_by(f64::total_cmp);
    let n = places.len();
    places.extend_from_within(..);
    places[n..].iter_mut().for_each(|place| *place += period);
    let (middle, half) = shortest(&places, n);
    (middle.rem_euclid(period), half)
}

/// Returns the logarithm of the probability that a cost lies within `width` of `level`, both in ns.
pub(crate) fn cost(level: f64, width: f64) -> f64 {
    const SCALE: f64 = 1e3;
    let edge = (COST / SCALE).asinh();
    let beyond = ((level / SCALE).asinh().abs() - edge).max(0.0);
    let side = if level < 0.0 { EARLY } else { 1.0 - EARLY };
    let density = ((-beyond).exp() + FLOOR) / (edge + 1.0 + FLOOR * END) * side;
    (density * width / level.hypot(SCALE)).ln().min(0.0)
}

/// Returns the score of whole numbers, each seen this often, under a Dirichlet prior with these weights.
pub(crate) fn counts(seen: &[usize], weights: &[f64]) -> f64 {
    let each: f64 = seen.iter().zip(weights).map(|(seen, weight)| rising(*weight, *seen)).sum();
    each - rising(weights.iter().sum(), seen.iter().sum())
}

/// Returns the logarithm of x (x + 1) ··· (x + n − 1), with one logarithm for as many factors as a number holds.
fn rising(x: f64, n: usize) -> f64 {
    let (mut nats, mut product) = (0.0, 1.0);
    for k in 0..n {
        product *= x + k as f64;
        if product > 1e280 {
            nats += product.ln();
            product = 1.0;
        }
    }
    nats + product.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Residuals about 0: most within 3 µs, a few up to a millisecond.
    fn residuals(n: u32) -> Vec<f64> {
        (0..n).map(|i| f64::from(i * 7_919 % 3_001) + if i % 50 == 0 { 1e6 } else { 0.0 }).collect()
    }

    #[test]
    fn moving_stamps_within_their_step_changes_no_score_by_half_a_nat() {
        let density = Density::new(400);
        for n in [20, 100, 400] {
            let values = residuals(n);
            let scores: Vec<f64> = (0..10)
                .map(|part| {
                    let moved: Vec<f64> = values.iter().map(|v| v + f64::from(part) * RESOLUTION / 10.0).collect();
                    density.lateness(&moved, 1.0)
                })
                .collect();
            let (low, high) = scores.iter().fold((f64::MAX, f64::MIN), |(l, h), &s| (l.min(s), h.max(s)));
            assert!(high - low < 0.5, "{n}: {scores:?}");
        }
    }

    #[test]
    fn the_density_sums_to_one() {
        // One value: the density itself, over an axis of half a decade a step.
        let density = Density::new(4);
        let mut total = 0.0;
        let mut at = -30_000_000.0;
        while at < 30_000_000.0 {
            total += density.shape(&[at + 500.0], 1.0).exp() * 1e3;
            at += 1e3;
        }
        assert!((0.8..=1.0).contains(&total), "{total}");
    }

    #[test]
    fn narrow_residuals_score_higher_than_wide_ones_and_order_does_not_matter() {
        let density = Density::new(400);
        let narrow = residuals(100);
        let wide: Vec<f64> = narrow.iter().map(|v| v * 30.0).collect();
        let mut turned = narrow.clone();
        turned.reverse();
        assert!(density.shape(&narrow, 1.0) > density.shape(&wide, 1.0) + 100.0);
        assert!((density.shape(&narrow, 1.0) - density.shape(&turned, 1.0)).abs() < 1e-9);
    }
}
