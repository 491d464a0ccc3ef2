//! The models of ticks: a rate and a rounding rule say at which tick each sleep ends.

use super::density::{first_half, held_out, step};
use crate::patterns::features::grid::Grid;
use crate::patterns::features::group::Sleep;
use crate::patterns::features::rounding::Rounding;
use statrs::function::beta::ln_beta;

/// A rate, a rounding rule, and how well they predict.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    /// The rate in Hz.
    pub(super) hz: f64,
    /// The rule; `None`: no rule, only the frequencies of the ticks in the other half of the sleeps.
    pub(super) rule: Option<Rounding>,
    /// The grid at this rate.
    pub(super) grid: Grid,
    /// Log density of the wake-ups (nats).
    pub(super) score: f64,
    /// Share of the sleeps that end at the very tick the rule names.
    pub(super) predicted: f64,
}

/// Probability that a sleep does not end at the tick its rule names, before any is seen, and the sleeps this counts as.
const ELSEWHERE: f64 = 0.02;
const BEFORE: f64 = 50.0;
/// Costs of a wake-up that are tried, in ns.
const COSTS: [f64; 7] = [0.0, 8e3, 20e3, 40e3, 70e3, 110e3, 160e3];

/// Cost, in ns, that is less likely by one nat: a rule with a cost of a whole tick would equal another rule.
const UNUSUAL: f64 = 20e3;

/// Scores the three rules, and the model without a rule, on one grid of a rate.
pub(super) fn rules(sleeps: &[Sleep], grid: &Grid, hz: f64) -> Vec<Scored> {
    let within = within(sleeps, grid);
    let costs = || COSTS.iter();
    let of = |rule: Rounding| {
        let tried = costs().map(|&cost| {
            let (named, right) = at_named(sleeps, grid, hz, rule, cost);
            (named - cost / UNUSUAL, right)
        });
        let (named, right) = tried.fold((f64::NEG_INFINITY, 0), |best, next| if next.0 > best.0 { next } else { best });
        let predicted = right as f64 / sleeps.len().max(1) as f64;
        Scored { hz, rule: Some(rule), grid: *grid, score: within + named, predicted }
    };
    let any = costs().map(|&cost| unruled(sleeps, grid, cost)).fold(f64::NEG_INFINITY, f64::max);
    let any = Scored { hz, rule: None, grid: *grid, score: within + any, predicted: 0.0 };
    Rounding::ALL.into_iter().map(of).chain([any]).collect()
}

/// Number of ticks distinguished where no rule names one: from three before the first at or after the time.
const APART: usize = 44;
/// Probability of a tick outside these, and pseudo-count that each tick has before any sleep of the other half.
const OUTSIDE: f64 = 1e-5;
const UNSEEN: f64 = 0.05;

/// Returns the log probability (nats) of the ticks at which sleeps ended, counted from the first at or after their
/// time, by the frequencies in the other half.
fn unruled(sleeps: &[Sleep], grid: &Grid, cost: f64) -> f64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held within
    let by = |sleep: &Sleep| {
        let up = (grid.place(sleep.due + cost) - 1e-6).ceil();
        let by = grid.place(sleep.end).round() - up + 3.0;
        (0.0..APART as f64).contains(&by).then_some(by as usize)
    };
    let mut counts = [[UNSEEN; APART]; 2];
    for (at, sleep) in sleeps.iter().enumerate() {
        if let Some(by) = by(sleep) {
            counts[usize::from(first_half(at))][by] += 1.0;
        }
    }
    let sums = counts.map(|counts| counts.iter().sum::<f64>());
    let each = sleeps.iter().enumerate().map(|(at, sleep)| {
        let other = usize::from(!first_half(at));
        by(sleep).map_or(OUTSIDE, |by| (counts[other][by] / sums[other]).max(OUTSIDE)).ln()
    });
    each.sum()
}

/// Returns how well the grid predicts where wake-ups lie within a tick: their log density, in nats.
fn within(sleeps: &[Sleep], grid: &Grid) -> f64 {
    let offs: Vec<f64> = sleeps.iter().map(|sleep| off(grid, sleep.end)).collect();
    // At worst, wake-ups are uniform over the tick.
    held_out(&offs, step(sleeps)).max(-(sleeps.len() as f64) * grid.tick.ln())
}

/// Returns the distance of a time from the nearest point of the grid, in ns; negative before the point.
pub(super) fn off(grid: &Grid, time: f64) -> f64 {
    let past = grid.past(time);
    if past > 0.5 * grid.tick { past - grid.tick } else { past }
}

/// Returns the log probability of `right` sleeps at the named tick and `missed` elsewhere, each predicted from those
/// before it: ln(B(a + missed, b + right) / B(a, b)).
fn in_turn(right: usize, missed: usize) -> f64 {
    let (a, b) = (ELSEWHERE * BEFORE, (1.0 - ELSEWHERE) * BEFORE);
    ln_beta(a + missed as f64, b + right as f64) - ln_beta(a, b)
}

/// Returns the log probability of the ticks at which the sleeps ended under a rule, and how many ended as it says.
fn at_named(sleeps: &[Sleep], grid: &Grid, hz: f64, rule: Rounding, cost: f64) -> (f64, usize) {
    let nominal = 1e9 / hz;
    let truncated = ((nominal / 1e3).floor() * 1e3).max(1e3);
    let missed = |ticks: &dyn Fn(&Sleep) -> f64| -> (f64, usize) {
        let far = sleeps.iter().fold((0.0, 0), |(sum, right), sleep| {
            let by = (grid.place(sleep.end).round() - ticks(sleep)).abs();
            // Ticks nearer to the named one are likelier.
            if by < 0.5 { (sum, right + 1) } else { (sum + 0.3f64.ln() - by.min(8.0).ln_1p(), right) }
        });
        (far.0 + in_turn(far.1, sleeps.len() - far.1), far.1)
    };
    let better = |a: (f64, usize), b: (f64, usize)| if b.0 > a.0 { b } else { a };
    let place = |time: f64| grid.place(time + cost);
    let need = |asked: f64, tick: f64| (asked / tick - 1e-6).ceil();
    let up = |sleep: &Sleep| (place(sleep.due) - 1e-6).ceil();
    match rule {
        Rounding::Up => missed(&up),
        Rounding::UpPlusOne => {
            let counted =
                |tick: f64| move |sleep: &Sleep| place(sleep.start).floor() + need(sleep.requested, tick) + 1.0;
            let more = missed(&|sleep| up(sleep) + 1.0);
            better(better(missed(&counted(nominal)), missed(&counted(truncated))), more)
        }
        Rounding::Early => missed(&|sleep| place(sleep.start).floor() + need(sleep.requested, grid.tick)),
    }
}
