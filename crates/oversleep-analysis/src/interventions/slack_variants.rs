//! Measures the slack of cells other than the baseline: how much later they are than the cell with the least slack.
//!
//! These are no tests and do not count as such: they are sizes with intervals, for comparison with what other witnesses
//! say of those cells.

use super::awake::Awake;
use super::blocks::AllBlocked;
use super::compare::{Effort, later};
use super::in_force;
use crate::patterns::Cause;
use oversleep_recording::Recording;
use oversleep_recording::document::{CauseSize, SizeInterval};
use oversleep_recording::plan::Cell;
use oversleep_recording::plan::intervene::{Change, counterpart};
use oversleep_sys::units::Nanos;

/// Returns readings for every slack variant and the first real-time policy, if a cell has the least slack. What was
/// measured beside the neighbour takes precedence.
pub(super) fn slacks(recording: &Recording, all: &AllBlocked, effort: Effort, awake: Awake) -> Vec<CauseSize> {
    let plan = &recording.meta.plan;
    let Some((base, variants)) = plan.cells.split_first() else { return Vec::new() };
    let has_least = base.conditions.timer_slack.is_some_and(|slack| slack.get() == 1);
    let least = if has_least { Some(base) } else { variants.iter().find(|cell| slack(base, cell) == Some(1)) };
    let Some(least) = least else { return Vec::new() };
    let than = |cell: u32, reference: u32| {
        later(all, cell, reference, effort, plan.seed).map(|[delay, p50]| p50.or_delay(delay))
    };
    // If it is later than the same sleep without slack: how much later than the sleep without slack that lasts as long.
    let later = |cell: u32| {
        let part = than(cell, least.id)?;
        let known = in_force::slack(recording, cell).filter(|_| part.low > 0.0);
        let without = known.and_then(|known| counterpart(base, known, variants));
        without.and_then(|without| than(cell, without.id)).or(Some(part))
    };
    let mut readings = Vec::new();
    // The remaining slack of the cell with the least: what the effect of adding the smallest known slack lacks of its
    // size.
    let known = known(base, variants, recording).filter(|(cell, _)| *cell != least.id && !has_least);
    let felt = |cell: u32| awake.base.filter(|_| cell == base.id).or_else(|| later(cell));
    if let Some((known, part)) = known.and_then(|(cell, known)| Some((known, felt(cell)?))) {
        readings.push(reading(least.id, part.less(known.as_f64()), format!("slack {known}")));
    }
    for cell in variants.iter().filter(|cell| slack(base, cell).is_some_and(|slack| slack > 1)) {
        readings.extend(later(cell.id).map(|part| reading(cell.id, part, "slack 1 ns".to_owned())));
    }
    if let Some(cell) = variants.iter().find(|cell| real_time(base, cell)) {
        // Under the same policy if that was tried: policies differ in more than slack.
        let same = awake.real_time.map(|part| (part, "slack 1 ns (busy neighbour both)"));
        let found = same.or_else(|| Some((later(cell.id)?, "slack 1 ns")));
        readings.extend(found.map(|(part, by)| reading(cell.id, part, by.to_owned())));
    }
    readings
}

fn reading(cell: u32, p50: SizeInterval, by: String) -> CauseSize {
    CauseSize { cell, cause: Cause::TimerSlack, p50, p99: None, seen: p50.low > 0.0, by, finding: None }
}

/// Returns the cell with the smallest slack above the least: small ones are used up before another interrupt comes.
fn known(base: &Cell, variants: &[Cell], recording: &Recording) -> Option<(u32, Nanos)> {
    let varied = variants.iter().filter(|cell| slack(base, cell).is_some());
    let known =
        [base].into_iter().chain(varied).filter_map(|cell| Some((cell.id, in_force::slack(recording, cell.id)?)));
    known.filter(|(_, slack)| slack.get() > 1).min_by_key(|(_, slack)| *slack)
}

/// Returns the slack of a variant that differs from the baseline only in slack, in ns.
fn slack(base: &Cell, cell: &Cell) -> Option<i64> {
    match Change::between(base, cell)[..] {
        [Change::Slack { slack_ns }] => slack_ns.map(Nanos::get),
        _ => None,
    }
}

fn real_time(base: &Cell, cell: &Cell) -> bool {
    matches!(Change::between(base, cell)[..], [Change::Policy { policy: Some(policy) }] if policy.is_real_time())
}
