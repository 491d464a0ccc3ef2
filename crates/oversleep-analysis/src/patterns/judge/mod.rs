//! Judges models: what an estimator proposes is stated only if it predicts sleeps that it was not fitted to better than
//! the next simpler model.
//!
//! For every method two kinds of model compete. In the simpler, lateness has some distribution, wherever sleeps were
//! due ([`free`]). In the other, wake-ups lie on a tick's grid, at the tick that a rounding rule names ([`ticks`]).
//! Both are scored by the log density (nats) that they give to each sleep, learnt from the other half of the sleeps
//! ([`density`]). A tick must lead by [`BETTER`] nats plus the logs of the number of rates tried and of how unusual its
//! rate is; rates and rules that predict equally well are listed together ([`posterior`]). docs/BENCHMARKS.md has the
//! measured consequences.

mod bent;
pub(super) mod calibration;
mod coincidence;
mod density;
mod divisors;
mod doubts;
pub(super) mod free;
mod models;
mod posterior;
mod premature;
pub(super) mod stamps;
mod ticks;
mod walk;
mod withhold;

use super::features::grid::{Grid, NOMINAL};
use super::features::group::Sleep;
use super::features::rounding::{Rounding, votes as votes_of};
use super::features::tick::{Design, Tick, short_of_wheel};
use doubts::EXPLAINED;
use models::{at_rate, at_resolution, off_by_slope, rivals};
use posterior::Left;
use ticks::Scored;

/// Least lead over a simpler model, in nats.
const BETTER: f64 = 6.0;
/// Most sleeps used.
const ENOUGH: usize = 800;
/// Largest distance of a tick from its nominal rate, in ppm.
const REACH: f64 = 1_500.0;
/// Least length of the wake-ups' mean vector, 0 to 1, on a rival grid.
const KEPT: f64 = 0.6;

/// Ticks shorter than this, in ns, are shorter than the cost of waking: another cost looks like another rule.
pub(super) const RULED: f64 = 50_000.0;

/// Least share of sleeps that end before their time where sleeps count from the last tick.
const EARLY: f64 = 0.02;
/// Largest relative difference of two fits of the same tick.
const SAME_LENGTH: f64 = 100e-6;
/// Length of the wake-ups' mean vector from which a grid's drift is taken to be the tick's.
const CLEAR: f64 = 0.9;
/// Rates that are tried with their own drift beside a grid that fewer wake-ups keep: common ones and those of Windows.
const USUAL: [f64; 6] = [64.0, 100.0, 250.0, 300.0, 1000.0, 2000.0];

/// What the samples show of ticks.
#[derive(Debug, Clone)]
pub(super) enum Judged {
    /// Wake-ups follow a tick.
    Tick(Box<Tick>),
    /// Wake-ups do not follow a tick.
    Free,
    /// Undecided: a tick at one of these rates (Hz), or none.
    Either(Vec<f64>),
}

/// What is known of sleeps besides their times.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Whether the method's timeouts are counted in ticks.
    pub(super) counted: bool,
    /// Whether the system counts from the last tick, where that is known.
    pub(super) from_last: Option<bool>,
    /// Whether the program sleeps until times of its own schedule.
    pub(super) scheduled: bool,
}

/// Judges a tick that an estimator proposes.
pub(super) fn proposed(sleeps: &[Sleep], tick: &Tick, known: Known) -> Judged {
    let (Some(grid), Some(hz)) = (tick.grid, tick.hz.or_else(|| tick.candidates.first().copied())) else {
        return Judged::Either(tick.candidates.clone());
    };
    // Timeouts counted in ticks may be on a timer wheel, which is coarser for longer ones.
    let short = tick.rounding == Some(Rounding::UpPlusOne) || known.counted;
    let sleeps = sampled(&if short { short_of_wheel(sleeps, grid.tick) } else { sleeps.to_vec() });
    let mut models = rivals(&sleeps, &grid, hz);
    models.extend(at_resolution(&sleeps));
    // The drift of a grid that many wake-ups miss may not be that of the tick.
    let usual: &[f64] = if grid.wakes < CLEAR { &USUAL } else { &[] };
    for &other in tick.candidates.iter().chain(usual).filter(|other| (**other - hz).abs() > 1e-9) {
        models.extend(at_rate(&sleeps, other));
    }
    decide(&sleeps, &models, Some(tick), known)
}

/// Looks for ticks that an estimator may have missed, at every known rate.
pub(super) fn searched(sleeps: &[Sleep], known: Known) -> Judged {
    let sleeps = sampled(sleeps);
    let mut models: Vec<Scored> = NOMINAL.iter().flat_map(|&hz| at_rate(&sleeps, hz)).collect();
    models.extend(off_by_slope(&sleeps));
    decide(&sleeps, &models, None, Known { counted: false, ..known })
}

fn sampled(sleeps: &[Sleep]) -> Vec<Sleep> {
    sleeps.iter().take(ENOUGH).copied().collect()
}

fn decide(sleeps: &[Sleep], models: &[Scored], proposed: Option<&Tick>, known: Known) -> Judged {
    let Some(left) = models::weighed(sleeps, models, known.from_last) else { return Judged::Free };
    let best = &left.best;
    let gain = best.score - free::score(sleeps) + coincidence::of(sleeps, best);
    // Where a program sleeps until times on its own grid, a tick and a constant lateness predict the same.
    let gain = if coincidence::own_schedule(sleeps, best, known.scheduled) { gain.min(0.0) } else { gain };
    let needed = BETTER + models::tries(sleeps, best.hz).ln() - posterior::usual_rate(best.hz, known.from_last).ln();
    if gain <= -BETTER {
        return Judged::Free;
    }
    if gain < needed || withhold::is_withheld(sleeps, &left, proposed, known) {
        return Judged::Either(left.rates.iter().map(|(hz, _)| *hz).collect());
    }
    let tick = tick(sleeps, &left, proposed, (gain, known.from_last));
    Judged::Tick(Box::new(doubts::about(sleeps, tick, best.hz, best.predicted)))
}

/// Returns whether a rule may be named. Ticks whose phase moves end some sleeps at another tick than a rule says; only
/// counting from the last tick, as a system is known to (`from_last`) or not, ends many before their time.
fn is_sure(rule: Rounding, sleeps: &[Sleep], best: &Scored, from_last: Option<bool>) -> bool {
    let early = sleeps.iter().filter(|sleep| sleep.late < 0.0).count() as f64 >= EARLY * sleeps.len() as f64;
    rule != Rounding::Early || (best.predicted >= EXPLAINED && (early || from_last == Some(true)))
}

/// Returns the best tick, with the rates and rules that predict equally well. `gain`: its lead in nats; `from_last`: whether
/// the system counts from the last tick, where that is known.
fn tick(sleeps: &[Sleep], left: &Left, proposed: Option<&Tick>, (gain, from_last): (f64, Option<bool>)) -> Tick {
    let Scored { grid, hz: best, .. } = left.best;
    let design = proposed.map_or(Design::Diverse, |tick| tick.design);
    let known = proposed.and_then(|tick| tick.hz);
    // One rate may have been tried with several tick lengths.
    let alike = |own: &Grid| known == Some(best) && (own.tick / grid.tick - 1.0).abs() < SAME_LENGTH;
    let kept = proposed.filter(|tick| tick.grid.as_ref().is_some_and(alike));
    let grid = kept.and_then(|tick| tick.grid).unwrap_or(grid);
    let votes = kept.map(|tick| tick.votes);
    let votes = votes.unwrap_or_else(|| votes_of(&short_of_wheel(sleeps, grid.tick), &grid, 1e9 / best));
    // A rate outside the list was measured, and is kept.
    let hz = left.hz().or(known.filter(|hz| !NOMINAL.contains(hz) && left.rates.len() == 1));
    Tick {
        hz,
        candidates: hz.map_or_else(|| left.rates.iter().map(|(hz, _)| *hz).collect(), |hz| vec![hz]),
        grid: Some(grid),
        rounding: left
            .rule()
            .filter(|rule| hz.is_some() && grid.tick >= RULED && is_sure(*rule, sleeps, &left.best, from_last)),
        rules: left.rules.iter().map(|(rule, _)| *rule).collect(),
        votes,
        design,
        gain,
    }
}
