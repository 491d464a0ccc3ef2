//! Lets prediction decide about ticks: what the samples' posterior under the laws of kernels says of each group's sleeps.

use super::LatenessRule;
use super::grid::{COMMON, fit, resultant};
use super::group::{Group, View};
use super::rounding::{Rounding, Votes, votes};
use super::tick::{Design, REACH, RULED, Tick, short_of_wheel};
use crate::patterns::system::counts_from_last_tick;
use oversleep_model::{Additions, Judgement, KNOWN_RATES, Rule, Ticks, judge};
use oversleep_recording::Recording;
use oversleep_recording::plan::Pattern;
use std::cell::OnceCell;

/// Probability below which a tick, a rate or a rule is not.
const UNLIKELY: f64 = 0.05;
/// Relative difference up to which a rate is a multiple of another.
const SAME_RATE: f64 = 3e-3;
/// Probability of "none of these" above which the laws settle nothing.
const ABSTAINS: f64 = 0.5;
/// No confidence is higher: the laws themselves may be wrong.
pub(super) const HIGHEST: f64 = 0.99;

/// Least share of sleeps that end before their time where they are counted from the last tick, and by what part of a tick.
const EARLY: f64 = 0.02;
const EARLIER: f64 = 0.02;

/// What the samples of a group show of ticks.
#[derive(Debug, Clone)]
pub(super) enum Judged {
    /// Sleeps end at ticks.
    Tick(Box<Tick>),
    /// They do not.
    Free,
    /// Undecided: a tick at one of these rates (Hz), or none.
    Either(Vec<f64>),
}

/// The posterior of a recording, computed once it is asked for.
#[derive(Debug)]
pub(super) struct Predicted<'a> {
    recording: &'a Recording,
    /// Lengths of ticks that are scored beside those that the model finds, in ns.
    proposed: Vec<f64>,
    judgement: OnceCell<Judgement>,
}

impl<'a> Predicted<'a> {
    /// Prepares to judge a recording of which estimators propose these rules.
    ///
    /// The posterior is computed from the first sleeps of each cell: at most 400 of a method, and with several methods 1500
    /// of all, or 100 of each.
    pub(super) fn new(recording: &'a Recording, rules: &[LatenessRule]) -> Self {
        let mut proposed = Vec::new();
        for rule in rules {
            let LatenessRule::Tick(tick) = rule else { continue };
            proposed.extend(tick.grid.map(|grid| grid.tick));
            proposed.extend(tick.candidates.iter().map(|hz| 1e9 / hz));
        }
        Self { recording, proposed, judgement: OnceCell::new() }
    }

    fn judgement(&self) -> &Judgement {
        self.judgement.get_or_init(|| judge(self.recording, &self.proposed))
    }

    fn of_group(&self, views: &[View<'_>], group: &Group) -> Option<&Ticks> {
        let cells = |seen: &&Ticks| group.views.iter().any(|&view| seen.cells.contains(&views[view].cell.id));
        self.judgement().groups.iter().find(cells)
    }

    /// Returns what a group's samples say of slack and shares.
    pub(super) fn additions(&self, views: &[View<'_>], group: &Group) -> Option<&Additions> {
        let cells = |seen: &&Additions| group.views.iter().any(|&view| seen.cells.contains(&views[view].cell.id));
        self.judgement().additions.iter().find(cells)
    }

    /// Returns whether every law leaves lateness that depends on time: it then shows no tick that nothing else shows.
    pub(super) fn abstains(&self) -> bool {
        self.judgement.get().is_some_and(|judgement| judgement.none_of_these > ABSTAINS)
    }

    /// Returns what a group's samples show.
    pub(super) fn judged(&self, views: &[View<'_>], group: &Group) -> Judged {
        let Some(seen) = self.of_group(views, group) else { return Judged::Free };
        let either = || Judged::Either(seen.possible().collect());
        if seen.probability() < UNLIKELY {
            return Judged::Free;
        }
        // Where lateness depends on time by no law, a rate that no kernel is known for, or ticks without a rule, may be anything.
        let stands = seen.rate().is_some_and(|hz| KNOWN_RATES.contains(&hz))
            && Rounding::ALL.into_iter().any(|rounding| seen.decides_rule(is(rounding)));
        // No law of kernels ends sleeps at ticks by no rule.
        let by_rule = seen.of_rule(|rule| rule == Rule::Other) < 0.5;
        if !seen.are_shown() || seen.changes || !by_rule || (self.abstains() && !stands) {
            return either();
        }
        let mut found = tick(seen, group);
        if found.rounding == Some(Rounding::Early) && !self.may_be_early(seen.period, group) {
            found.rounding = None;
        }
        // Ticks without a rule, of a rate that no kernel is known for, may be anything that comes and goes.
        let is_known = found.rounding.is_some() || found.candidates.iter().any(|hz| KNOWN_RATES.contains(hz));
        // Sleeps of a schedule end in its rhythm, which many ticks keep step with, whether there is one or not. Who sleeps until the
        // same place of a tick from anywhere in it keeps one.
        let is_scheduled = |&view: &usize| matches!(views[view].cell.pattern, Pattern::Periodic { .. });
        let keeps_schedule = || group.views.iter().all(is_scheduled) || begin_anywhere(seen.period, group);
        let in_step = found.design == Design::Locked && keeps_schedule();
        let is_known = is_known && found.grid.is_some() && (found.hz.is_some() || !in_step);
        if is_known && is_kept(seen.period, group) { Judged::Tick(Box::new(found)) } else { either() }
    }

    /// Returns whether sleeps are known to be counted from the last tick, or show it: only then do some end before their time,
    /// by more than a drift of the tick makes of a long request.
    fn may_be_early(&self, period: f64, group: &Group) -> bool {
        let sleeps = group.timed();
        let early = sleeps.iter().filter(|sleep| sleep.late < -EARLIER * period).count();
        counts_from_last_tick(self.recording) == Some(true) || early as f64 >= EARLY * sleeps.len() as f64
    }

    /// Returns the probability that a group's sleeps end at ticks.
    pub(super) fn probability(&self, views: &[View<'_>], group: &Group) -> Option<f64> {
        self.of_group(views, group).map(|seen| seen.probability().min(HIGHEST))
    }

    /// Decides the rate of a tick that sleeps at a steady rhythm slide along, and whether its rule is possible. Among rates that
    /// no kernel is known for, one fits every slide.
    pub(super) fn decide_rate(&self, tick: &mut Tick, views: &[View<'_>], group: &Group) {
        let Some(seen) = self.of_group(views, group) else { return };
        let likeliest = seen.rates.first().map_or(0.0, |rate| rate.is);
        if tick.rounding.is_some_and(|rounding| tick.hz == Some(likeliest) && seen.of_rule(is(rounding)) < UNLIKELY) {
            tick.rounding = None;
        }
        if self.abstains() {
            return;
        }
        let Some(hz) = seen.rate().filter(|hz| KNOWN_RATES.contains(hz)) else { return };
        if tick.hz.is_some_and(|own| seen.of_rate(own) >= UNLIKELY * seen.probability()) {
            return;
        }
        if !tick.candidates.contains(&hz) {
            tick.grid = gridded(group, hz);
            tick.rounding = None;
        }
        (tick.hz, tick.candidates) = (Some(hz), vec![hz]);
    }
}

/// Least mean vector of due times, turned by a tick, of sleeps that are always due at the same place within it.
const LOCKED: f64 = 0.75;

/// Returns the tick that the posterior shows, with the rates and rules that it leaves.
fn tick(seen: &Ticks, group: &Group) -> Tick {
    let likeliest = seen.rates.first().map(|rate| rate.is);
    let confirmed = likeliest.filter(|hz| seen.confirms_rate(*hz, |rate| KNOWN_RATES.contains(&rate)));
    let hz = confirmed.or_else(|| seen.rate().filter(|hz| !may_be_parts(*hz)));
    let candidates: Vec<f64> = hz.map_or_else(|| seen.possible().collect(), |hz| vec![hz]);
    let grid = gridded(group, 1e9 / seen.period);
    let votes = grid.map_or_else(Votes::default, |grid| {
        votes(&short_of_wheel(&group.timed(), grid.tick), &grid, 1e9 / candidates[0])
    });
    let shows_rule = hz.is_some_and(|hz| 1e9 / hz >= RULED);
    Tick {
        hz,
        candidates,
        grid,
        rounding: Rounding::ALL.into_iter().find(|&rounding| shows_rule && seen.decides_rule(is(rounding))),
        votes,
        rules: Rounding::ALL.into_iter().filter(|&rounding| seen.of_rule(is(rounding)) >= UNLIKELY).collect(),
        design: if grid.is_some_and(|grid| grid.dues > LOCKED) { Design::Locked } else { Design::Diverse },
    }
}

/// Sleeps at either end of a recording that are compared, and the least part of the first ones' mean vector that the last ones'
/// has.
const AT_AN_END: usize = 100;
const KEPT: f64 = 0.5;

/// Returns whether the last sleeps keep a tick of this length, in ns, as the first do, which the posterior is computed from.
fn is_kept(period: f64, group: &Group) -> bool {
    let ends: Vec<f64> = group.timed().iter().map(|sleep| sleep.end).collect();
    let some = ends.len().min(AT_AN_END);
    let length = |ends: &[f64]| resultant(ends, 1.0 / period).0;
    length(&ends[ends.len() - some..]) >= KEPT * length(&ends[..some])
}

/// Returns whether sleeps begin at no particular place within ticks of this length, in ns.
fn begin_anywhere(period: f64, group: &Group) -> bool {
    let starts: Vec<f64> = group.timed().iter().map(|sleep| sleep.due - sleep.requested).collect();
    resultant(&starts, 1.0 / period).0 < LOCKED
}

/// Fits the grid of a rate in Hz to a group's ends.
fn gridded(group: &Group, hz: f64) -> Option<super::grid::Grid> {
    let sleeps = group.timed();
    let ends: Vec<f64> = sleeps.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = sleeps.iter().map(|sleep| sleep.due).collect();
    fit(&ends, &dues, hz, REACH)
}

/// Returns whether a rate that no kernel is known for is a multiple of a common one: ticks whose phase moves by parts of their
/// length look the same.
fn may_be_parts(hz: f64) -> bool {
    let is_multiple = |known: &f64| ((hz / known).round() * known / hz - 1.0).abs() < SAME_RATE;
    !KNOWN_RATES.contains(&hz) && COMMON.iter().any(is_multiple)
}

/// Returns whether a law rounds in this way.
fn is(rounding: Rounding) -> impl Fn(Rule) -> bool {
    move |rule| match rule {
        Rule::Up => matches!(rounding, Rounding::Up),
        Rule::UpPlusOne | Rule::Counted => matches!(rounding, Rounding::UpPlusOne),
        Rule::Early => matches!(rounding, Rounding::Early),
        Rule::Down => matches!(rounding, Rounding::Down),
        Rule::CountedDown | Rule::Stamps | Rule::Other => false,
    }
}
