//! One sleep's lateness, split among the causes that rule its group.

use super::cause::Cause;
use super::features::rounding::Rounding;
use super::features::steady::Steady;
use super::features::tick::Tick;
use super::features::{Features, Rule};

/// The parts of one sleep's lateness in ns. They sum to it with `rest`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parts {
    /// Waiting for the tick (or the timer wheel).
    pub tick: i64,
    /// Waiting for other threads.
    pub queue: i64,
    /// Timer slack.
    pub slack: i64,
    /// Slack in proportion to the request, beyond the constant one.
    pub stretch: i64,
    /// The cost of waking up.
    pub cost: i64,
    /// What none of these explains.
    pub rest: i64,
}

impl Parts {
    /// The parts with the causes they belong to; `wheel` says which the tick's part is.
    pub fn named(self, wheel: bool) -> [(&'static str, i64); 6] {
        let tick = if wheel { Cause::TimerWheel } else { Cause::TickQuantised };
        [
            (tick.name(), self.tick),
            (Cause::RunQueue.name(), self.queue),
            (Cause::TimerSlack.name(), self.slack),
            (Cause::ProportionalSlack.name(), self.stretch),
            (Cause::ConstantCost.name(), self.cost),
            ("unexplained", self.rest),
        ]
    }
}

/// Splits a lateness of a view's cell.
pub fn of(features: &Features<'_>, view: usize, late: i64) -> Parts {
    let cell = &features.views[view];
    match &features.rules[cell.group] {
        Rule::Tick(tick) if waits_for_tick(features, view) => {
            of_tick(tick, cost_under_tick(features, cell.group), features.wheels[cell.group], late)
        }
        Rule::Queue(_) => Parts { queue: late, ..Parts::default() },
        Rule::Steady(steady) if cell.requested > 0 => of_steady(steady, cell.requested as f64, late),
        _ => Parts { rest: late, ..Parts::default() },
    }
}

fn of_tick(tick: &Tick, cost: i64, wheel: bool, late: i64) -> Parts {
    let cost = cost.min(late.max(0));
    let length = tick.grid.map_or(f64::INFINITY, |grid| grid.tick);
    let most = match tick.rounding {
        Some(Rounding::UpPlusOne) | None => 2.0 * length,
        Some(Rounding::Up | Rounding::Early) => length,
    };
    let wait = late - cost;
    let waited = if wheel || wait as f64 <= 1.02 * most { wait } else { whole(most) };
    Parts { tick: waited, cost, rest: wait - waited, ..Parts::default() }
}

fn of_steady(steady: &Steady, requested: f64, late: i64) -> Parts {
    let slack = steady.slack.map_or(0.0, |slack| slack.size);
    let stretched = steady.share.map_or(slack, |share| {
        (share.ratio * requested).min(share.cap.unwrap_or(f64::INFINITY)).max(slack)
    });
    let cost = (steady.base - slack - steady.share.map_or(0.0, |share| base_stretch(steady, share.ratio, slack))).max(0.0);
    let (slack, stretch, cost) = (whole(slack), whole(stretched - slack), whole(cost));
    Parts { slack, stretch, cost, rest: late - slack - stretch - cost, ..Parts::default() }
}

/// What the stretch adds to the usual lateness of short sleeps already.
fn base_stretch(steady: &Steady, ratio: f64, slack: f64) -> f64 {
    let short = steady.usual.iter().find(|cell| (cell.late - steady.base).abs() < 0.2 * steady.base);
    short.map_or(0.0, |cell| (ratio * cell.requested - slack).max(0.0))
}

#[allow(clippy::cast_possible_truncation)] // saturating is what is wanted
fn whole(ns: f64) -> i64 {
    ns.round() as i64
}

/// The cost of a wake-up where the tick rules, in ns: the least lateness seen, if it is small against the tick.
pub fn cost_under_tick(features: &Features<'_>, group: usize) -> i64 {
    let Rule::Tick(tick) = &features.rules[group] else { return 0 };
    let length = tick.grid.map_or(f64::INFINITY, |grid| grid.tick);
    let members = features.groups[group].views.iter().map(|&view| &features.views[view]);
    let least = members.filter(|view| view.requested > 0).filter_map(|view| view.sorted.first()).min();
    least.copied().filter(|&least| least > 0 && (least as f64) < 0.1 * length).unwrap_or(0)
}

/// Whether the sleeps of a view wait for the tick: those that asked for time do; others if they took some.
pub fn waits_for_tick(features: &Features<'_>, view: usize) -> bool {
    let cell = &features.views[view];
    let Some(tick) = features.tick_of(view) else { return false };
    let length = tick.grid.map_or(0.0, |grid| grid.tick);
    cell.requested > 0 || cell.quantile(0.5) as f64 > 0.05 * length
}
