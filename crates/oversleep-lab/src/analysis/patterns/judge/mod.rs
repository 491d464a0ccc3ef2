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
pub(super) mod free;
mod posterior;
mod premature;
pub(super) mod stamps;
mod ticks;

use super::features::grid::{COMMON, Grid, NOMINAL, downsample, fit, resultant};
use super::features::group::Sleep;
use super::features::rounding::{Rounding, votes as votes_of};
use super::features::tick::{Design, Tick, short_of_wheel};
use super::features::windup;
use posterior::Left;
use std::cell::LazyCell;
use ticks::Scored;

/// Least lead over a simpler model, in nats.
const BETTER: f64 = 6.0;
/// Most sleeps used.
const ENOUGH: usize = 800;
/// Largest distance of a tick from its nominal rate, in ppm.
const REACH: f64 = 1_500.0;
/// Largest relative error of a wrongly calibrated timer; range, in ppm, that is searched about the slope of lateness.
const MISCALIBRATED: f64 = 0.013;
const NEAR_SLOPE: f64 = 300.0;
/// Rate above which kernels refresh their clock less often than at every tick, in Hz.
const CACHED_ABOVE: f64 = 1_024.0;
/// Least length of the wake-ups' mean vector, 0 to 1, on a rival grid.
const KEPT: f64 = 0.6;

/// Largest relative distance from its nominal length of a tick that no rule confirms: steering and divisors.
const STEERED: f64 = 700e-6;

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

fn at_rate(sleeps: &[Sleep], hz: f64) -> Vec<Scored> {
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let grid = fit(&ends, &dues, hz, REACH).filter(|grid| grid.wakes >= KEPT);
    grid.map_or_else(Vec::new, |grid| ticks::rules(sleeps, &grid, hz))
}

/// Scores ticks of wrongly calibrated timers: longer than nominal by the same factor as sleeps are longer than
/// requested. The largest on record is above 1 % (FreeBSD 8 at 40 kHz: 1.091 % by its preset).
fn off_by_slope(sleeps: &[Sleep]) -> Vec<Scored> {
    let off = |slope: &f64| (REACH * 1e-6..MISCALIBRATED).contains(&slope.abs());
    let Some(slope) = free::slope(sleeps).filter(off) else { return Vec::new() };
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let fitted = |hz: &f64| Some((*hz, fit(&ends, &dues, hz / (1.0 + slope), NEAR_SLOPE)?));
    let kept = NOMINAL.iter().filter_map(fitted).filter(|(_, grid)| grid.wakes >= KEPT);
    kept.flat_map(|(hz, grid)| ticks::rules(sleeps, &grid, hz)).collect()
}

/// Scores Windows' tick called 1 ms. It mostly lasts 0.997 ms: no other tick is so far from its nominal rate.
fn at_resolution(sleeps: &[Sleep]) -> Vec<Scored> {
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let grid = fit(&ends, &dues, 1e9 / 997_000.0, 100.0).filter(|grid| grid.wakes >= KEPT);
    grid.map_or_else(Vec::new, |grid| ticks::rules(sleeps, &grid, 1_000.0))
}

/// Scores the proposed grid, and the grids of all other rates that the wake-ups keep with the same drift.
fn rivals(sleeps: &[Sleep], grid: &Grid, hz: f64) -> Vec<Scored> {
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let few = downsample(&ends);
    let others = NOMINAL.iter().copied().filter(|other| (other - hz).abs() > 1e-9).filter_map(|other| {
        let tick = grid.tick * hz / other;
        let (kept, angle) = resultant(&few, 1.0 / tick);
        (kept >= KEPT).then_some((other, Grid { tick, phase: angle * tick, wakes: kept, ..*grid }))
    });
    std::iter::once((hz, *grid)).chain(others).flat_map(|(hz, grid)| ticks::rules(sleeps, &grid, hz)).collect()
}

fn decide(sleeps: &[Sleep], models: &[Scored], proposed: Option<&Tick>, known: Known) -> Judged {
    let Some(left) = weighed(sleeps, models, known.from_last) else { return Judged::Free };
    let gain = left.best.score - free::score(sleeps) + coincidence::of(sleeps, &left.best);
    // Where a program sleeps until times on its own grid, a tick and a constant lateness predict the same.
    let gain = if coincidence::own_schedule(sleeps, &left.best, known.scheduled) { gain.min(0.0) } else { gain };
    let needed = BETTER + tries(sleeps, left.best.hz).ln() - posterior::usual_rate(left.best.hz, known.from_last).ln();
    let rates = || left.rates.iter().map(|(hz, _)| *hz).collect::<Vec<f64>>();
    // With all sleeps at one place within the tick, and no rule, any grid that divides the rhythm would do. Otherwise
    // only a clock refreshed every few ticks makes sleeps end at ticks without a rule.
    let locked = proposed.is_some_and(|tick| tick.design == Design::Locked);
    // Nor is one place within the tick enough, or one lateness, if no estimator proposed the tick.
    let one = || coincidence::at_one_place(sleeps, &left.best) || coincidence::always_alike(sleeps);
    let found_alone = proposed.is_none() && one();
    // Nor are whole ticks that follow no rule, where a share of the request comes to as many.
    let found_alone = found_alone || (left.hz().is_none() && coincidence::like_a_share(sleeps, &left.best));
    let off = (left.best.grid.tick * left.best.hz * 1e-9 - 1.0).abs();
    let refreshed = left.best.hz > CACHED_ABOVE && !coincidence::mostly_at_one_place(sleeps, &left.best);
    let unruled = left.best.rule.is_none() && (locked || (left.rules.is_empty() && !refreshed));
    let off_its_rate = left.rule().is_none() && left.best.hz > CACHED_ABOVE && off > STEERED;
    let on_grid = left.best.grid.on_grid;
    let is_ruled = left.rule().is_some_and(|rule| is_sure(rule, sleeps, &left.best, known.from_last));
    let is_slow = left.best.grid.tick >= SCATTERED;
    // Trying the periods of a clock takes far longer than all other questions here.
    let is_refreshed = LazyCell::new(|| is_refreshed(sleeps, &left.best));
    let scattered =
        if is_ruled { is_slow && on_grid < MOSTLY } else { on_grid < UNRULED && !(refreshed && *is_refreshed) };
    let is_fast = left.best.hz > CACHED_ABOVE && left.best.grid.tick >= RULED;
    let is_explained = is_ruled || left.best.predicted >= EXPLAINED;
    let unexplained = is_fast && !is_explained && !*is_refreshed;
    let unknown = left.best.hz > FASTEST;
    let is_impossible = is_slow && premature::are_several(sleeps, &left.best);
    let doubted = unruled || off_its_rate || scattered || unexplained || unknown || is_impossible;
    let nameless = found_alone || (!known.counted && doubted);
    match gain {
        gain if gain >= needed && nameless => Judged::Either(rates()),
        gain if gain >= needed => {
            let tick = tick(sleeps, &left, proposed, (gain, known.from_last));
            let tick = doubt_multiple(sleeps, doubt_bent(sleeps, tick, left.best.hz), left.best.predicted);
            Judged::Tick(Box::new(doubt_parts(sleeps, doubt_finer(sleeps, tick))))
        }
        gain if gain <= -BETTER => Judged::Free,
        _ => Judged::Either(rates()),
    }
}

/// Weighs the models together with slower ticks within the best one, and faster ones around the best of those.
fn weighed(sleeps: &[Sleep], models: &[Scored], from_last: Option<bool>) -> Option<Left> {
    let best = posterior::weigh(models, from_last)?.best;
    let mut models = models.to_vec();
    let at_one_place = coincidence::at_one_place(sleeps, &best);
    let slower = divisors::of(sleeps, &best.grid, best.hz, at_one_place).into_iter();
    models.extend(slower.flat_map(|(hz, grid)| ticks::rules(sleeps, &grid, hz)));
    let best = posterior::weigh(&models, from_last)?.best;
    if !NOMINAL.contains(&best.hz) {
        let faster = [2.0, 3.0, 4.0].map(|times| (times * best.hz, Grid { tick: best.grid.tick / times, ..best.grid }));
        let new = faster.into_iter().filter(|(hz, _)| models.iter().all(|model| (model.hz - hz).abs() > 1e-9 * hz));
        let scored: Vec<Scored> = new.flat_map(|(hz, grid)| ticks::rules(sleeps, &grid, hz)).collect();
        models.extend(scored);
    }
    posterior::weigh(&models, from_last)
}

/// Least share of the wake-ups that lie at ticks, where these are so long, in ns, that the cost of waking scatters wake-ups
/// little.
const MOSTLY: f64 = 0.75;
const SCATTERED: f64 = 900_000.0;
/// The same where no rule says at which ticks: some delays are as many ticks of a slow rate as of a fast one, which wake-ups
/// then keep as well.
const UNRULED: f64 = 0.93;

/// Rate, in Hz, above which no kernel's tick is known to be (FreeBSD 7 was run at 40 kHz).
const FASTEST: f64 = 50_000.0;

/// How much larger a share of the sleeps a clock refreshed every few ticks must explain.
const MORE: f64 = 0.15;

/// Returns whether a clock refreshed every few ticks says at which ticks sleeps end.
fn is_refreshed(sleeps: &[Sleep], best: &Scored) -> bool {
    windup::measure(sleeps, &best.grid, 1e9 / best.hz).is_some_and(|windup| {
        windup.ticks == windup::usual_ticks(best.hz) && windup.share > windup.share_without + MORE
    })
}

/// Returns the effective number of rates tried: every known rate, in steps of one cycle over the whole recording.
fn tries(sleeps: &[Sleep], hz: f64) -> f64 {
    let span = sleeps.last().map_or(0.0, |last| last.end - sleeps[0].end);
    NOMINAL.len() as f64 * (1.0 + 2e-6 * REACH * hz * 1e-9 * span).min(1e4)
}

/// Leaves the rate open where wake-ups keep another rate from stretch to stretch: the phase of its ticks moved.
fn doubt_bent(sleeps: &[Sleep], tick: Tick, best: f64) -> Tick {
    let clear = tick.grid.is_some_and(|grid| grid.wakes >= CLEAR && COMMON.contains(&best));
    let mut others = if clear { Vec::new() } else { bent::rates(sleeps, best, REACH) };
    others.retain(|hz| tick.hz.is_none_or(|named| (named - hz).abs() > 1e-9));
    if others.is_empty() {
        return tick;
    }
    doubted(&tick, others)
}

/// Share of the sleeps whose very tick a rule names, from which the rate explains whatever coarser grid some keep.
const EXPLAINED: f64 = 0.9;

/// Leaves the rate open where wake-ups keep slower ones from stretch to stretch, unless its rule has `predicted` them.
fn doubt_multiple(sleeps: &[Sleep], tick: Tick, predicted: f64) -> Tick {
    if predicted >= EXPLAINED {
        return tick;
    }
    let slower = tick.grid.map_or_else(Vec::new, |grid| divisors::from_stretch_to_stretch(sleeps, &grid));
    if slower.is_empty() { tick } else { doubted(&tick, slower) }
}

/// Most parts of a tick that are examined, and by how much longer the wake-ups' mean vector must be on them.
const MOST_PARTS: u32 = 8;
const FINER: f64 = 0.08;

/// Leaves the rate open where wake-ups keep parts of the tick better than the tick: the grid of a faster one, which most
/// sleeps meet at every few ticks, as where a clock by which they are judged moves only then.
fn doubt_finer(sleeps: &[Sleep], tick: Tick) -> Tick {
    let (Some(hz), Some(grid)) = (tick.hz, tick.grid) else { return tick };
    let ends = downsample(&sleeps.iter().map(|sleep| sleep.end).collect::<Vec<_>>());
    let kept = |parts: u32| resultant(&ends, f64::from(parts) / grid.tick).0;
    let own = kept(1);
    let finer: Vec<f64> =
        (2..=MOST_PARTS).filter(|parts| kept(*parts) > own + FINER).map(|parts| f64::from(parts) * hz).collect();
    if finer.is_empty() { tick } else { doubted(&tick, finer) }
}

/// Leaves the rate open between these, in Hz, and those that the tick had.
fn doubted(tick: &Tick, mut rates: Vec<f64>) -> Tick {
    let own = tick.candidates.iter().copied().filter(|hz| !rates.contains(hz)).collect::<Vec<f64>>();
    rates.extend(own);
    Tick { hz: None, candidates: rates, rounding: None, rules: Vec::new(), ..tick.clone() }
}

/// Leaves a rare rate open where sleeps begin at one place within its ticks and a usual rate is a multiple of it:
/// several ticks of the latter then look like one of the former.
fn doubt_parts(sleeps: &[Sleep], tick: Tick) -> Tick {
    let (Some(hz), Some(grid)) = (tick.hz, tick.grid) else { return tick };
    let starts: Vec<f64> = sleeps.iter().map(|sleep| sleep.start).collect();
    let multiples = [2.0, 3.0, 4.0, 5.0].map(|times| times * hz);
    let usual: Vec<f64> = multiples.into_iter().filter(|multiple| USUAL.contains(multiple)).collect();
    if USUAL.contains(&hz) || usual.is_empty() || resultant(&starts, 1.0 / grid.tick).0 < KEPT {
        return tick;
    }
    let candidates = usual.into_iter().chain([hz]).collect();
    Tick { hz: None, candidates, rounding: None, rules: Vec::new(), ..tick }
}

/// Ticks shorter than this, in ns, are shorter than the cost of waking: another cost looks like another rule.
const RULED: f64 = 50_000.0;

/// Least share of sleeps that end before their time where sleeps count from the last tick.
const EARLY: f64 = 0.02;

/// Largest relative difference of two fits of the same tick.
const SAME_LENGTH: f64 = 100e-6;

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
