//! The laws without ticks: how well each explains one group.

use super::addition::{Addition, UNLIMITED};
use super::density::{Density, RESOLUTION, add, centre, cost, level, sum};
use super::group::{Group, Sleep};
use super::prior::Prior;
use super::propose::{Candidate, median};
use super::ticks::{
    BEFORE_TICK, COSTS, MEMORY, NUMBERS, anywhere, before, mostly_as_named, numbered, to_law, within, wrap,
};
use oversleep_sim::law::{CachedStart, Even, Law, Share, Slack};

/// Half of all steady changes from sleep to sleep are below this, in ns.
const CHANGE: f64 = 2e3;
/// Prior of steps that a program makes, of one of the lengths that are tried.
const STEPS: f64 = 1e-3;
/// Programs do not sleep by shorter steps, in ns.
pub(crate) const SHORTEST_STEP: f64 = 0.5e6;

/// Quanta that are known, in ns.
const QUANTA: [f64; 10] = [10e6, 20e6, 30e6, 40e6, 50e6, 60e6, 100e6, 120e6, 180e6, 200e6];

/// The score of a law without ticks, and what it says that the system adds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scored {
    pub(crate) score: f64,
    /// `None` where the law says nothing of it.
    pub(crate) adds: Option<Addition>,
    /// The part of the score that says how usual the addition is.
    pub(crate) usual: f64,
}

impl Scored {
    fn other(score: f64) -> Self {
        Self { score, adds: None, usual: 0.0 }
    }
}

/// Returns the scores of the laws without ticks.
pub(crate) fn free(density: &Density, group: &Group, prior: &Prior) -> Vec<Scored> {
    let late = group.late();
    let mut scores: Vec<Scored> = Vec::new();
    if group.loaded || middle(&late) > 1e6 {
        scores.extend(quanta(density, group).into_iter().map(Scored::other));
    }
    let any_share = any_share(group, prior);
    if any_share > 0.0 {
        scores.push(Scored::other(within_a_share(density, group, &late)));
        scores.extend(bending(density, group).into_iter().map(Scored::other));
    }
    let constant = shapes(density, group, &late);
    for (law, probability) in added(group, prior, any_share) {
        let (addition, usual) = (Some(Addition::of_law(&law)), probability.ln());
        let under = |shape: &Shape, slack: f64, adds: bool| Scored {
            score: shape.score(slack, adds) + usual,
            adds: addition,
            usual,
        };
        if let Law::Slack(Slack { slack }) = law {
            scores.extend(constant.iter().map(|shape| under(shape, slack, slack > 0.0)));
        } else {
            let rest: Vec<f64> = group.sleeps.iter().map(|sleep| sleep.end - law.end(&to_law(sleep))).collect();
            scores.extend(shapes(density, group, &rest).iter().map(|shape| under(shape, 0.0, true)));
        }
    }
    scores
}

/// Probability that most sleeps end before what is added is over: other interrupts end a few.
const BELOW: f64 = 0.01;

/// How lateness may scatter, and where its levels are: what waking costs, and what is added.
struct Shape {
    /// The score but for the levels.
    fixed: f64,
    levels: Vec<Level>,
}

struct Level {
    at: f64,
    /// Width within which it is known.
    error: f64,
    /// Logarithm of the probability that it lies there if it is like others, where there are others.
    like: Option<f64>,
}

impl Level {
    /// Returns the level of these values.
    fn new(values: &[f64], step: f64) -> Self {
        let (at, half) = level(values);
        let error = half.max(step).max(RESOLUTION) * (std::f64::consts::TAU / values.len().max(1) as f64).sqrt();
        Self { at, error, like: None }
    }

    fn score(&self, slack: f64, adds: bool) -> f64 {
        let below = if adds && self.at < slack { BELOW.ln() } else { 0.0 };
        let own = cost(self.at - slack, self.error) + below;
        self.like.map_or(own, |like| add(like, own) - std::f64::consts::LN_2).min(0.0)
    }
}

impl Shape {
    /// Returns the score where this much slack, in ns, is part of each level; `adds`: whether a system added it, or a share.
    fn score(&self, slack: f64, adds: bool) -> f64 {
        self.fixed + self.levels.iter().map(|level| level.score(slack, adds)).sum::<f64>()
    }
}

/// Returns the ways in which this lateness may scatter.
fn shapes(density: &Density, group: &Group, late: &[f64]) -> Vec<Shape> {
    let (n, step) = (late.len(), group.step);
    let about_level = |values: &[f64], nats: f64| {
        let level = Level::new(values, step);
        let rest: Vec<f64> = values.iter().map(|value| value - level.at).collect();
        Shape { fixed: density.shape(&rest, step) + nats, levels: vec![level] }
    };
    let mut all = vec![about_level(late, 0.5f64.ln())];
    if group.cells.len() > 1 && group.cells.len() <= n / 4 {
        all.push(by_request(density, group, late));
    }
    // Due at full seconds.
    let off: Vec<f64> = group.sleeps.iter().map(|s| (s.start + s.asked + 5e8).rem_euclid(1e9) - 5e8).collect();
    let mut sizes: Vec<f64> = off.iter().map(|off| off.abs()).collect();
    if median(&mut sizes) < 1e6 {
        let exact: Vec<f64> = late.iter().zip(&off).map(|(late, off)| late + off).collect();
        all.push(about_level(&exact, 0.3f64.ln()));
    }
    // As late as the last ones.
    let changes: Vec<f64> = late.iter().zip(before(late)).map(|(late, last)| late - last).collect();
    let steady = |at: f64, width: f64| (width / (std::f64::consts::PI * CHANGE * (1.0 + (at / CHANGE).powi(2)))).ln();
    all.push(Shape {
        fixed: density.located(&changes, step, steady) + MEMORY.ln(),
        levels: vec![Level::new(late, step)],
    });
    if n >= 8 {
        let (rest, nats) = trend(group, late);
        all.push(about_level(&rest, nats));
    }
    all
}

fn asked(group: &Group) -> Vec<f64> {
    group.sleeps.iter().map(|sleep| sleep.asked).collect()
}

/// Returns the probability of a share that no system is known for: none where requests hardly vary.
fn any_share(group: &Group, prior: &Prior) -> f64 {
    let (shortest, longest) = group.requests();
    if longest - shortest > 0.5 * middle(&asked(group)) { prior.any_share(group) } else { 0.0 }
}

fn middle(values: &[f64]) -> f64 {
    median(&mut values.to_vec())
}

/// Returns the laws by which something may be added, with their probabilities: those that the system has, and a share that
/// fits, if `any_share` has a probability.
fn added(group: &Group, prior: &Prior, any_share: f64) -> Vec<(Law, f64)> {
    let mut all = Vec::new();
    for (law, probability) in prior.additions(group) {
        let Law::CachedStart(CachedStart { shift, .. }) = law else {
            all.push((law, probability));
            continue;
        };
        // Where starts are not cached, or requests are short, only the share counts; otherwise the wind-up's phase is that of
        // where long sleeps end, less a cost.
        let Addition::Share { share, cap, .. } = Addition::of_law(&law) else { continue };
        all.push((Law::Share(Share { share, least: 0.0, cap }), probability / 2.0));
        let long = group.sleeps.iter().filter(|sleep| sleep.asked >= 1e6 * f64::from(1 << shift));
        let due: Vec<f64> = long.map(|sleep| sleep.end - sleep.asked * (1.0 + share)).collect();
        if due.len() >= 5 {
            let (phase, _) = centre(&due, 1e6);
            let start = |cost: f64| CachedStart { windup: Even { period: 1e6, phase: phase - cost }, shift };
            let each = probability / 2.0 / COSTS.len() as f64;
            all.extend(COSTS.map(|cost| (Law::CachedStart(start(cost)), each)));
        }
    }
    if any_share > 0.0 {
        all.extend(fitted(group).map(|(law, fits)| (law, any_share * fits)));
    }
    all
}

/// Prior of lateness that bends, on a system that is not known.
const BENDS: f64 = 2e-3;
/// Smallest and largest share that no system is known for: of a larger one the requests are in another unit than they seem.
const SMALLEST: f64 = 1e-4;
const LARGEST: f64 = 0.5;
/// Sleeps of which each pair is compared.
const COMPARED: usize = 100;

/// Returns the slope with which lateness grows with a function of the request, and the logarithm of its relative error, if it
/// grows.
fn slope(group: &Group, of: fn(f64) -> f64) -> Option<(f64, f64)> {
    let points: Vec<(f64, f64)> = group.sleeps.iter().map(|sleep| (of(sleep.asked), sleep.late())).collect();
    // The middle of the slopes between any two sleeps (Theil 1950, Sen 1968).
    let some: Vec<(f64, f64)> = points.iter().copied().step_by(points.len().div_ceil(COMPARED)).collect();
    let slope =
        |(at, a): (usize, &(f64, f64))| some[at + 1..].iter().map(|b| (b.1 - a.1) / (b.0 - a.0)).collect::<Vec<f64>>();
    let mut slopes: Vec<f64> = some.iter().enumerate().flat_map(slope).filter(|slope| slope.is_finite()).collect();
    let ratio = Some(median(&mut slopes)).filter(|ratio| *ratio > 0.0)?;
    let rest: Vec<f64> = points.iter().map(|(at, late)| late - ratio * at).collect();
    let (_, half) = level(&rest);
    let n = points.len() as f64;
    let mean = points.iter().map(|point| point.0).sum::<f64>() / n;
    let spread = (points.iter().map(|point| (point.0 - mean).powi(2)).sum::<f64>() / n).sqrt().max(1e-9);
    let error = half.max(group.step).max(RESOLUTION) / spread / n.sqrt();
    Some((ratio, (2.5 * error / ratio).min(1.0).ln()))
}

/// Returns any share that fits, with the part of the probability of all shares that its error leaves it.
fn fitted(group: &Group) -> Option<(Law, f64)> {
    let (ratio, error) = slope(group, |asked| asked).filter(|found| (SMALLEST..=LARGEST).contains(&found.0))?;
    let law = Law::Share(Share { share: ratio, least: 0.0, cap: UNLIMITED });
    Some((law, error.exp() / (LARGEST / SMALLEST).ln()))
}

/// Scores lateness that grows less and less with the request, as where idle states deepen.
fn bending(density: &Density, group: &Group) -> Vec<f64> {
    let score = |of: fn(f64) -> f64| {
        let (ratio, error) = slope(group, of)?;
        let rest: Vec<f64> = group.sleeps.iter().map(|sleep| sleep.late() - ratio * of(sleep.asked)).collect();
        Some(density.lateness(&rest, group.step) + error + BENDS.ln())
    };
    [f64::ln as fn(f64) -> f64, f64::sqrt].into_iter().filter_map(score).collect()
}

/// Scores ends anywhere within a share: the scatter grows with the request.
fn within_a_share(density: &Density, group: &Group, late: &[f64]) -> f64 {
    let asked = asked(group);
    let relative: Vec<f64> = late.iter().zip(&asked).map(|(late, asked)| 1e6 * late / asked).collect();
    let scaled: f64 = asked.iter().map(|asked| (asked / 1e6).ln()).sum();
    density.lateness(&relative, 1.0) - scaled + 0.03f64.ln()
}

/// A level for each request, all with one shape: levels are like each other, or like any cost.
fn by_request(density: &Density, group: &Group, late: &[f64]) -> Shape {
    let (overall, wide) = level(late);
    let scale = wide.max(1e3);
    let (mut rest, mut levels) = (vec![0.0; late.len()], vec![Level::new(late, group.step)]);
    for cell in &group.cells {
        let at: Vec<usize> = (0..late.len()).filter(|i| group.sleeps[*i].cell == *cell).collect();
        if at.is_empty() {
            continue;
        }
        let own: Vec<f64> = at.iter().map(|i| late[*i]).collect();
        let level = Level::new(&own, group.step);
        let off = (level.at - overall) / scale;
        let like = (level.error / (std::f64::consts::PI * scale * (1.0 + off * off))).ln();
        for i in at {
            rest[i] = late[i] - level.at;
        }
        levels.push(Level { like: Some(like), ..level });
    }
    Shape { fixed: density.shape(&rest, group.step) + 0.3f64.ln(), levels }
}

/// Returns what is left of lateness that grows with time, and the logarithm of the probability of its slope: up to 100 ppm, one
/// recording in two hundred.
fn trend(group: &Group, late: &[f64]) -> (Vec<f64>, f64) {
    let ends = group.ends();
    let n = late.len() as f64;
    let (x0, y0) = (ends.iter().sum::<f64>() / n, late.iter().sum::<f64>() / n);
    let (xx, xy) =
        ends.iter().zip(late).fold((0.0, 0.0), |(xx, xy), (x, y)| (xx + (x - x0).powi(2), xy + (x - x0) * (y - y0)));
    let slope = if xx > 0.0 { xy / xx } else { 0.0 };
    let rest: Vec<f64> = ends.iter().zip(late).map(|(x, y)| y - slope * (x - ends[0])).collect();
    let (_, half) = level(&rest);
    let error = half.max(group.step).max(RESOLUTION) / (xx / n).sqrt().max(1.0) / n.sqrt();
    (rest, (error / 1e-4).max(1e-12).ln().min(0.0) + 0.005f64.ln())
}

/// Quanta that begin when the sleeper leaves, and quanta with a phase of their own.
fn quanta(density: &Density, group: &Group) -> Vec<f64> {
    let took: Vec<f64> = group.sleeps.iter().map(|sleep| sleep.end - sleep.start).collect();
    if took.len() < 8 || middle(&took) < 5e6 {
        return Vec::new();
    }
    // A recorded busy thread makes a queue likely; without one it is one recording in three hundred.
    let prior = (if group.loaded { 0.3 } else { 0.003 }) / QUANTA.len() as f64 / 2.0;
    let ends = group.ends();
    QUANTA
        .iter()
        .map(|&quantum| {
            let score = add(
                circular(density, &took, quantum, group.step, &took, &group.sleeps),
                circular(density, &ends, quantum, group.step, &took, &group.sleeps),
            );
            score + prior.ln()
        })
        .collect()
}

/// Returns the score of steps as long as a candidate for the tick, of which the program counts as many as its request holds
/// with their nominal length.
pub(crate) fn steps(density: &Density, group: &Group, candidate: &Candidate) -> Scored {
    let period = candidate.period;
    let took: Vec<f64> = group.sleeps.iter().map(|sleep| sleep.end - sleep.start).collect();
    let middle = wrap(centre(&took, period).0, period, BEFORE_TICK);
    let places: Vec<f64> = took.iter().map(|took| wrap(took - middle, period, BEFORE_TICK)).collect();
    let countings = candidate.hz.map_or([period; 2], |hz| [1e9 / hz, period]);
    let numbers = countings.map(|counted| {
        let mut far = 0.0;
        let mut seen = [0; NUMBERS];
        for (sleep, took) in group.sleeps.iter().zip(&took) {
            let named = (sleep.asked / counted - 1e-6).ceil();
            let (number, beyond) = numbered(((took - middle) / period + BEFORE_TICK).floor() - named);
            far += beyond;
            seen[number] += 1;
        }
        far + mostly_as_named(&seen)
    });
    let score = within(density, &places, period, group.step, None) + sum(numbers) - std::f64::consts::LN_2;
    Scored::other(score + STEPS.ln())
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // limited
fn circular(density: &Density, at: &[f64], quantum: f64, step: f64, took: &[f64], sleeps: &[Sleep]) -> f64 {
    let (middle, _) = centre(at, quantum);
    let places: Vec<f64> = at.iter().map(|at| wrap(at - middle, quantum, BEFORE_TICK)).collect();
    let mut seen = [0; NUMBERS];
    for (took, sleep) in took.iter().zip(sleeps) {
        seen[((took - sleep.asked) / quantum + BEFORE_TICK).floor().clamp(0.0, 47.0) as usize] += 1;
    }
    within(density, &places, quantum, step, None) + anywhere(&seen)
}
