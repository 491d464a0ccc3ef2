//! Late sleeps, each with the cause that is known.

use super::{Breakdown, Complete, PartKind, TimedSleep, Timeline, counters, culprit_name, culprits, join, switches};
use oversleep_recording::document::late::{LateSleeps, NamedLateSleep};
use oversleep_recording::plan::{ClockName, Conditions, Plan};
use oversleep_recording::trace::Tier;
use oversleep_recording::{ClocksAhead, LateSleep, Note, Sample};
use oversleep_sys::units::Nanos;

/// Names the cause of every late sleep of a run. Returns `None` for a run that did not watch for late sleeps.
pub fn late_sleeps(plan: &Plan, note: &Note) -> Option<LateSleeps> {
    let named = note.late_sleeps.iter().map(|late| name_late(plan, note, late));
    note.late.map(|account| LateSleeps { account, sleeps: named.collect() })
}

/// Names the cause of one late sleep, from what was recorded around it and the run's notes on its thread.
pub fn name_late(plan: &Plan, note: &Note, late: &LateSleep) -> NamedLateSleep {
    let known = late.watched.then(|| split(&slept(plan, note, late), late));
    let tier = known.as_ref().map(|split| split.tier);
    let refused = late.refused.iter().filter(|refused| tier.is_none_or(|tier| refused.tier < tier));
    let mut refused: Vec<String> = refused.map(ToString::to_string).collect();
    let breakdown = known.map(|split| {
        refused.extend(split.passed_over);
        split.breakdown
    });
    NamedLateSleep {
        cell: late.cell,
        thread: late.thread,
        sequence: late.sequence,
        method: method(plan, late.cell),
        requested: late.requested,
        cpu: late.cpu,
        at: late.at,
        wall: wall(plan, note, late),
        length: late.length,
        cause: breakdown.as_ref().map_or_else(|| "not separated".to_owned(), cause),
        witness: tier,
        refused,
        trace: late.trace.clone(),
        culprits: breakdown.as_ref().map_or_else(Vec::new, |breakdown| culprits(&[breakdown])),
        breakdown,
        priority: obtained(note, late).map_or(0, Conditions::real_time_priority),
    }
}

/// Returns when a late sleep ended by the wall clock; `None` where that was never read together with the sleep's clock.
fn wall(plan: &Plan, note: &Note, late: &LateSleep) -> Option<Nanos> {
    let clock = plan.cells.iter().find(|cell| cell.id == late.cell)?.clock;
    let mut ahead = ClocksAhead::default();
    ahead.take(&note.brackets);
    let from = ahead.offset(clock)?;
    let offset = ahead.offset(ClockName::Realtime)?.saturating_sub(from);
    Some(late.at.saturating_add(Nanos::new(offset)))
}

fn method(plan: &Plan, cell: u32) -> String {
    plan.cells.iter().find(|known| known.id == cell).map_or_else(String::new, |cell| cell.method.clone())
}

/// Returns the conditions that the late sleep's thread had, as noted last.
fn obtained<'a>(note: &'a Note, late: &LateSleep) -> Option<&'a Conditions> {
    let of_thread = note.obtained.iter().rfind(|note| note.cell == late.cell && note.thread == late.thread);
    of_thread.map(|note| &note.conditions)
}

fn slept(plan: &Plan, note: &Note, late: &LateSleep) -> TimedSleep {
    let sample = Sample {
        cell: late.cell,
        thread: late.thread,
        sequence: late.sequence,
        requested: late.requested,
        deadline: late.deadline,
        start: late.start,
        end: late.at,
        ..Sample::BLANK
    };
    let cell = plan.cells.iter().find(|cell| cell.id == late.cell);
    TimedSleep::from_sample(&sample, cell, obtained(note, late), late.counted)
}

/// The best breakdown of a late sleep, and why those of better tiers are incomplete.
struct Split {
    tier: Tier,
    breakdown: Breakdown,
    passed_over: Vec<String>,
}

/// Returns the best breakdown: the first complete one, from the best tier down, or else the first.
fn split(slept: &TimedSleep, late: &LateSleep) -> Split {
    let own = &late.own;
    let mut tries = Vec::new();
    if let (Some(events), Some(tid)) = (&late.events, late.tid) {
        let (breakdowns, _) = join::join(events, &own.switches, tid, &[*slept]);
        let blamed = |breakdown| blame(breakdown, late);
        tries.extend(breakdowns.into_iter().map(blamed).map(|breakdown| (Tier::Events, breakdown)));
    }
    if !own.switches.is_empty() {
        let breakdowns = switches::join(&own.switches, own.lost, &[*slept]);
        tries.extend(breakdowns.into_iter().map(|breakdown| (Tier::Switches, breakdown)));
    }
    let counted = if late.counted.is_empty() { Tier::Slack } else { Tier::Counters };
    tries.extend(counters::join(&[*slept]).into_iter().map(|breakdown| (counted, breakdown)));
    let whole = tries.iter().position(|(_, breakdown)| breakdown.is_complete()).unwrap_or(0);
    let incomplete = tries.iter().take(whole).filter_map(|(tier, breakdown)| match &breakdown.complete {
        Complete::Partial(why) => Some(tier.not_used(why)),
        Complete::Complete => None,
    });
    let passed_over = incomplete.collect();
    let (tier, breakdown) = tries.swap_remove(whole);
    Split { tier, breakdown, passed_over }
}

/// Adds who had the processor to the rest of a breakdown that is not complete.
fn blame(mut breakdown: Breakdown, late: &LateSleep) -> Breakdown {
    let (Some(cpu), Some(events), false) = (late.cpu, &late.events, breakdown.is_complete()) else { return breakdown };
    let end = breakdown.end;
    if let Some(rest) = breakdown.parts.last_mut().filter(|part| part.kind == PartKind::Rest) {
        let timeline = Timeline::build(&events.events, &[], late.tid.unwrap_or(-1));
        rest.cpu = Some(cpu);
        rest.owners = timeline.cut(cpu, end.saturating_sub(rest.time), end);
    }
    breakdown
}

/// Returns the cause in a phrase that is equal for all of its kind: the largest part, and who had most of its time, as
/// in `run queue: hog (real time 80)`.
pub fn cause(breakdown: &Breakdown) -> String {
    let largest = breakdown.parts.iter().max_by_key(|part| part.time);
    match largest.map(|part| (part, part.mostly())) {
        None => PartKind::Rest.name().to_owned(),
        Some((part, None)) => part.kind.name().to_owned(),
        Some((part, Some(owner))) => format!("{}: {}", part.kind.name(), culprit_name(owner)),
    }
}
