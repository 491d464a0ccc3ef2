//! Lets prediction decide about ticks: what the samples' posterior under the laws of kernels settles or contradicts.

use super::LatenessRule;
use super::grid::{COMMON, NOMINAL, fit};
use super::group::{Group, View};
use super::open::{self, OpenQuestion};
use super::rounding::{Rounding, votes};
use super::tick::{Design, REACH, Tick, short_of_wheel};
use crate::patterns::judge::RULED;
use oversleep_model::{Judgement, Rule, Ticks, judge};
use oversleep_recording::Recording;

/// Probability from which a rate that was stated is.
const NAMED: f64 = 0.95;
/// Probability below which a tick or a rule that was stated is not.
const UNLIKELY: f64 = 0.05;
/// Relative difference up to which two rates are one candidate.
const SAME_RATE: f64 = 3e-3;
/// Probability of "none of these" above which the laws settle nothing.
const ABSTAINS: f64 = 0.5;
/// No confidence is higher: the laws themselves may be wrong.
const HIGHEST: f64 = 0.99;

/// Decides rate and rule of each group's tick where the posterior does, and opens what it contradicts. Returns the
/// probability that each group's sleeps end at ticks; `None` of those without a tick.
///
/// A tick that was withheld stays so: sleeps that poll for a deadline and odd stamps have no law here, and a tick predicts
/// them. Where every law leaves lateness that depends on time, nothing is settled. The posterior is computed from the first
/// sleeps of each cell: at most 400 of a method, and with several methods 1500 of all, or 100 of each.
pub(super) fn settle(
    recording: &Recording,
    views: &[View<'_>],
    groups: &[Group],
    rules: &mut [LatenessRule],
    open: &mut [Option<OpenQuestion>],
) -> Vec<Option<f64>> {
    let mut probabilities = vec![None; groups.len()];
    let mut proposed = Vec::new();
    for rule in rules.iter() {
        let LatenessRule::Tick(tick) = rule else { continue };
        proposed.extend(tick.grid.map(|grid| grid.tick));
        proposed.extend(tick.candidates.iter().map(|hz| 1e9 / hz));
    }
    if proposed.is_empty() {
        return probabilities;
    }
    let judgement = judge(recording, &proposed);
    if judgement.none_of_these > ABSTAINS {
        return probabilities;
    }
    for (at, group) in groups.iter().enumerate() {
        let LatenessRule::Tick(tick) = &mut rules[at] else { continue };
        let Some(seen) = of_group(&judgement, views, group) else { continue };
        if matches!(tick.design, Design::Sliding | Design::Flat) {
            // A rate that changes in mid-run, or a slide by whole ticks a second more, has no law here.
            decide_rate(tick, seen, group);
        } else if tick.design == Design::Coarse {
            // Of a clock that itself moves at ticks, the model says that it is the clock that does.
        } else if seen.probability() >= UNLIKELY {
            decide(tick, seen, group);
            probabilities[at] = Some(seen.probability().min(HIGHEST));
        } else {
            rules[at] = LatenessRule::Unclear;
            open[at] = Some(open::unpredicted(seen));
        }
    }
    probabilities
}

fn of_group<'a>(judgement: &'a Judgement, views: &[View<'_>], group: &Group) -> Option<&'a Ticks> {
    let cells = |seen: &&Ticks| group.views.iter().any(|&view| seen.cells.contains(&views[view].cell.id));
    judgement.groups.iter().find(cells)
}

/// Decides the rate of a tick that sleeps at a steady rhythm slide along. Among rates that no kernel is known for, one fits
/// every slide.
fn decide_rate(tick: &mut Tick, seen: &Ticks, group: &Group) {
    let Some(hz) = seen.rate().filter(|hz| NOMINAL.contains(hz)) else { return };
    if tick.hz.is_some_and(|own| seen.of_rate(own) >= UNLIKELY * seen.probability()) {
        return;
    }
    if !tick.candidates.contains(&hz) {
        tick.grid = found(seen, group).and_then(|found| found.grid);
        tick.rounding = None;
    }
    (tick.hz, tick.candidates) = (Some(hz), vec![hz]);
}

/// Decides rate and rule of a tick that is there. A rule that was stated is open only where another predicts the same: what
/// busy threads delay by a tick looks like a rule that adds one.
fn decide(tick: &mut Tick, seen: &Ticks, group: &Group) {
    if tick.hz.is_none_or(|hz| seen.of_rate(hz) < NAMED * seen.probability()) {
        if let Some(found) = found(seen, group) {
            *tick = found;
            return;
        }
        let known = |hz: f64, all: &[f64]| all.iter().any(|other| (other / hz - 1.0).abs() < SAME_RATE);
        for hz in seen.possible() {
            if !known(hz, &tick.candidates) {
                tick.candidates.push(hz);
            }
        }
        (tick.hz, tick.rounding) = (None, None);
        return;
    }
    match tick.rounding {
        Some(rounding) if seen.has_equal_rule(is(rounding)) => {
            tick.rounding = None;
            tick.rules = Rounding::ALL.into_iter().filter(|rounding| seen.of_rule(is(*rounding)) >= UNLIKELY).collect();
        }
        None if tick.grid.is_some_and(|grid| grid.tick >= RULED) => tick.rounding = decided(seen),
        _ => {}
    }
}

/// Returns the tick that the posterior decides for.
fn found(seen: &Ticks, group: &Group) -> Option<Tick> {
    let hz = seen.rate().filter(|hz| !may_be_parts(*hz))?;
    let sleeps = group.timed();
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    let grid = fit(&ends, &dues, hz, REACH)?;
    let votes = votes(&short_of_wheel(&sleeps, grid.tick), &grid, 1e9 / hz);
    Some(Tick {
        hz: Some(hz),
        candidates: vec![hz],
        grid: Some(grid),
        rounding: decided(seen).filter(|_| grid.tick >= RULED),
        votes,
        rules: Vec::new(),
        gain: 0.0,
        design: Design::Diverse,
    })
}

/// Returns whether a rate that no kernel is known for is a multiple of a common one: ticks whose phase moves by parts of their
/// length look the same.
fn may_be_parts(hz: f64) -> bool {
    let is_multiple = |known: &f64| ((hz / known).round() * known / hz - 1.0).abs() < SAME_RATE;
    !NOMINAL.contains(&hz) && COMMON.iter().any(is_multiple)
}

fn decided(seen: &Ticks) -> Option<Rounding> {
    Rounding::ALL.into_iter().find(|&rounding| seen.decides_rule(is(rounding)))
}

/// Returns whether a law rounds in this way.
fn is(rounding: Rounding) -> impl Fn(Rule) -> bool {
    move |rule| match rule {
        Rule::Up => matches!(rounding, Rounding::Up),
        Rule::UpPlusOne | Rule::Counted => matches!(rounding, Rounding::UpPlusOne),
        Rule::Early => matches!(rounding, Rounding::Early),
        Rule::Stamps | Rule::Down | Rule::Other => false,
    }
}
