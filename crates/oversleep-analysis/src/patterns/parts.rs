//! One sleep's lateness, split among the causes that rule its group.

use super::cause::Cause;
use super::features::group::View;
use super::features::rounding::Rounding;
use super::features::steady::Steady;
use super::features::tick::Tick;
use super::features::{Features, LatenessRule};
use oversleep_recording::plan::Pattern;

/// The parts of one sleep's lateness, in ns. Their sum, `rest` included, is the lateness.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parts {
    /// Waiting for the tick (or the timer wheel).
    pub tick: i64,
    /// Waiting for other threads.
    pub queue: i64,
    /// Timer slack.
    pub slack: i64,
    /// Slack in proportion to the request, beyond the constant slack.
    pub stretch: i64,
    /// The cost of waking up.
    pub cost: i64,
    /// What leaving a deeper idle state adds.
    pub idle: i64,
    /// What none of these explains.
    pub rest: i64,
}

impl Parts {
    /// Returns the parts with the names of their causes. `wheel`: whether `tick` is a wait for the timer wheel.
    pub fn named(self, wheel: bool) -> [(&'static str, i64); 7] {
        let tick = if wheel { Cause::TimerWheel } else { Cause::TickQuantised };
        [
            (tick.name(), self.tick),
            (Cause::RunQueue.name(), self.queue),
            (Cause::TimerSlack.name(), self.slack),
            (Cause::ProportionalSlack.name(), self.stretch),
            (Cause::ConstantCost.name(), self.cost),
            (Cause::IdleExit.name(), self.idle),
            ("unexplained", self.rest),
        ]
    }
}

/// Splits a lateness, in ns, of a view's cell. Where it is open whether the cost is one, it counts as unexplained.
pub fn split(features: &Features<'_>, view: usize, late: i64) -> Parts {
    // What rounding the request to the call's unit adds has no cause among these: it counts as unexplained.
    let unit = features.views[view].unit.min(late.max(0));
    let parts = by_rule(features, view, late - unit);
    let parts = Parts { rest: parts.rest + unit, ..parts };
    if features.doubted(view) { Parts { cost: 0, rest: parts.rest + parts.cost, ..parts } } else { parts }
}

fn by_rule(features: &Features<'_>, view: usize, late: i64) -> Parts {
    let cell = &features.views[view];
    match &features.rules[cell.group] {
        LatenessRule::Tick(tick) if waits_for_tick(features, view) => {
            of_tick(tick, cost_under_tick(features, cell.group).cost, features.wheels[cell.group], late)
        }
        LatenessRule::Waits if features.beside[view].is_some() => {
            let without = features.beside[view].as_ref().map_or(0, |load| load.without_ns).clamp(0, late.max(0));
            Parts { queue: late - without, rest: without, ..Parts::default() }
        }
        LatenessRule::Queue(_) | LatenessRule::Waits => Parts { queue: late, ..Parts::default() },
        LatenessRule::Steady(steady) if cell.requested > 0 || like(steady, cell) => {
            of_steady(steady, view, requested(steady, cell, late), late)
        }
        // A request of zero that returns at once costs what the call costs.
        LatenessRule::Steady(_) | LatenessRule::Tick(_) => {
            let cost = cell.quantile(0.5).max(0);
            Parts { cost, rest: late - cost, ..Parts::default() }
        }
        _ => Parts { rest: late, ..Parts::default() },
    }
}

/// Returns what a sleep asked for, in ns. Where requests are random and lateness grows with them, the lateness `late`
/// says which request it was; otherwise it is the cell's median request.
fn requested(steady: &Steady, cell: &View<'_>, late: i64) -> f64 {
    match (cell.cell.pattern, steady.share) {
        (Pattern::Random { from, to }, Some(share)) if from < to => {
            ((late as f64 - steady.cost) / share.ratio).clamp(from.as_f64(), to.as_f64())
        }
        _ => (cell.requested + cell.unit) as f64,
    }
}

/// Returns whether the sleeps of a cell that asked for no time were about as late as those that asked for some.
fn like(steady: &Steady, cell: &View<'_>) -> bool {
    (cell.quantile(0.5) as f64 - steady.base).abs() < 0.5 * steady.base
}

fn of_tick(tick: &Tick, cost: i64, wheel: bool, late: i64) -> Parts {
    let cost = cost.min(late.max(0));
    let length = tick.grid.map_or(f64::INFINITY, |grid| grid.tick);
    let most = match tick.rounding {
        Some(Rounding::UpPlusOne) | None => 2.0 * length,
        Some(Rounding::Up | Rounding::Early | Rounding::Down) => length,
    };
    let wait = late - cost;
    let waited = if wheel || wait as f64 <= 1.02 * most { wait } else { whole(most) };
    Parts { tick: waited, cost, rest: wait - waited, ..Parts::default() }
}

fn of_steady(steady: &Steady, view: usize, requested: f64, late: i64) -> Parts {
    let slack = steady.slack.map_or(0.0, |slack| slack.size);
    let stretched = steady.stretched(requested);
    let usual = steady.usual.iter().find(|cell| cell.view == view).map_or(steady.base, |cell| cell.late);
    let typical = steady.cost;
    let here = usual - stretched;
    // Where other interrupts end most sleeps of a cell early, its usual lateness does not show the cost.
    let cost = if here > 0.5 * typical && here < 2.0 * typical + 1_000.0 { here } else { typical };
    let (cost, idle) = match steady.growth() {
        Some(growth) => (growth.shallow - slack, (usual - growth.shallow).max(0.0)),
        None => (cost, 0.0),
    };
    let (cost, idle) = (whole(cost.max(0.0)), whole(idle));
    // A sleep somewhat earlier than usual cost less to wake from. Only one that is earlier than the cost can explain
    // ended within its slack, at another timer's interrupt.
    let cheaper = late - whole(stretched) - idle;
    let cost = if cheaper >= cost / 2 { cost.min(cheaper) } else { cost };
    let used = (late - cost - idle).clamp(0, whole(stretched));
    let slack = used.min(whole(slack));
    Parts { slack, stretch: used - slack, cost, idle, rest: late - used - cost - idle, ..Parts::default() }
}

#[allow(clippy::cast_possible_truncation)] // saturating is what is wanted
fn whole(ns: f64) -> i64 {
    ns.round() as i64
}

/// Fewest sleeps from which the least lateness gives the cost of a wake-up.
const FOR_COST: usize = 100;
/// Largest distance of the least lateness from the cost, in those expected: of n sleeps, none is nearer than three nths of
/// a tick in one recording of twenty (e⁻³).
const FAR: f64 = 3.0;

/// The cost of a wake-up where the tick rules, in ns; all zero where it is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TickCost {
    /// The likeliest cost.
    pub cost: i64,
    /// The least and the largest that these samples allow.
    pub between: (i64, i64),
}

/// Distance from the least lateness, in ticks. Where sleeps are due anywhere within the tick, about this share of them
/// is as near to the least.
const NEAR_LEAST: f64 = 0.03;

/// Returns the cost of a wake-up where the tick rules: the least lateness of all sleeps, under the same conditions, that
/// end at the first tick after their time. Of n sleeps, it lies above the cost by about an nth of a tick.
pub fn cost_under_tick(features: &Features<'_>, group: usize) -> TickCost {
    let LatenessRule::Tick(Tick { grid: Some(grid), .. }) = &features.rules[group] else { return TickCost::default() };
    let same = |other: &usize| {
        let same_tick = matches!(&features.rules[*other], LatenessRule::Tick(tick)
            if tick.rounding == Some(Rounding::Up) && tick.grid.is_some_and(|own| (own.tick / grid.tick - 1.0).abs() < 0.01));
        same_tick && features.groups[*other].conditions == features.groups[group].conditions
    };
    let members: Vec<usize> = (0..features.groups.len()).filter(same).collect();
    let views = members.iter().flat_map(|&at| &features.groups[at].views).map(|&view| &features.views[view]);
    let timed = views.filter(|view| view.requested > 0);
    let (count, held, least) = timed.fold((0, 0, i64::MAX), |(count, held, least), view| {
        (count + view.count, held + view.sorted.len(), least.min(view.least))
    });
    // How far the least lateness lies above the cost, about. No wake-up from a tick costs 150 µs or a tenth of a tick
    // (below): due times that meet few places within the tick leave such a lateness without any cost.
    let above = grid.tick / count.max(1) as f64;
    // If most sleeps are due in another part of the tick, the least lateness is not a cost either; nor if they are due at few
    // places within it, as by a schedule. Half as many sleeps as chance would have must be near it, and not four times as
    // many.
    let near = least.saturating_add(whole(NEAR_LEAST * grid.tick));
    let timed = members.iter().flat_map(|&at| &features.groups[at].views).map(|&view| &features.views[view]);
    let early: usize =
        timed.filter(|view| view.requested > 0).map(|view| view.sorted.partition_point(|late| *late <= near)).sum();
    let spread = (0.5..4.0).contains(&(early as f64 / (NEAR_LEAST * held as f64)));
    if spread
        && count >= FOR_COST
        && above < 0.25 * least as f64
        && (1..150_000).contains(&least)
        && (least as f64) < 0.1 * grid.tick
    {
        let below = |times: f64| (least - whole(times * above)).max(0);
        TickCost { cost: below(1.0), between: (below(FAR), least) }
    } else {
        TickCost::default()
    }
}

/// Returns whether a view's sleeps wait for the tick: those that asked for time, others if the median is above 5 % of
/// it.
pub fn waits_for_tick(features: &Features<'_>, view: usize) -> bool {
    let cell = &features.views[view];
    let Some(tick) = features.tick_of(view) else { return false };
    let length = tick.grid.map_or(0.0, |grid| grid.tick);
    cell.requested > 0 || cell.quantile(0.5) as f64 > 0.05 * length
}
