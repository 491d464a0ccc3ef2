//! Measures the slack of cells other than the baseline: how much later they are than the cell with the least slack.
//!
//! These are no tests and do not count as such: they are sizes with intervals, for comparison with what other witnesses
//! say of those cells.

use super::blocks::AllBlocked;
use super::compare::{Effort, later};
use super::in_force;
use crate::patterns::Cause;
use oversleep_recording::Recording;
use oversleep_recording::document::{CauseSize, Interventions, SizeInterval};
use oversleep_recording::plan::Cell;
use oversleep_recording::plan::intervene::{Change, beside_neighbour, counterpart, like, raised, real_time, without};
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
    if let Some(cell) = variants.iter().find(|cell| becomes_real_time(base, cell)) {
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

fn becomes_real_time(base: &Cell, cell: &Cell) -> bool {
    matches!(Change::between(base, cell)[..], [Change::Policy { policy: Some(policy) }] if policy.is_real_time())
}

/// Slacks measured beside the busy neighbour; `None` where that was not tried.
///
/// Leaving idle scatters wake-ups by tens of microseconds, for reasons other than slack. Beside a neighbour that keeps
/// the processor awake, the same comparison (slack against no slack for an equal time) is several times as exact.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Awake {
    /// The baseline's slack.
    pub(super) base: Option<SizeInterval>,
    /// The same under a real-time policy.
    pub(super) real_time: Option<SizeInterval>,
}

/// Measures slack beside the neighbour. The baseline's is entered into its reading and returned only where the plain
/// comparison showed slack of about that size: under a tick, a longer sleep is more or less late without any slack.
pub(super) fn slacks_awake(
    found: &mut Interventions,
    recording: &Recording,
    all: &AllBlocked,
    effort: Effort,
) -> Awake {
    let plan = &recording.meta.plan;
    let Some((base, variants)) = plan.cells.split_first() else { return Awake::default() };
    let Some(beside) = variants.iter().find(|cell| beside_neighbour(base, cell)) else { return Awake::default() };
    let slack = |cell: &Cell| {
        let own = in_force::slack(recording, cell.id)?;
        let [delay, p50] = later(all, cell.id, like(&without(cell, own)?, variants)?.id, effort, plan.seed)?;
        Some((own, p50.or_delay(delay)))
    };
    let own = slack(beside).filter(|(own, part)| seen(found, Nanos::new(1), *own, *part)).map(|(_, part)| part);
    let missing = || {
        let (rise, part) = slack(like(&raised(beside), variants)?)?;
        seen(found, rise, rise, part).then(|| part.less(rise.as_f64()))
    };
    let base = own.or_else(missing);
    if let Some(part) = base {
        enter(found, part);
    }
    Awake { base, real_time: real_time(beside).and_then(|cell| slack(like(&cell, variants)?)).map(|(_, part)| part) }
}

/// Returns whether the baseline's median moved by half to twice as much when its slack became `to`.
fn seen(found: &Interventions, to: Nanos, slack: Nanos, part: SizeInterval) -> bool {
    let plain = found.first_effect(|change| *change == Change::Slack { slack_ns: Some(to) });
    let near = |size: f64| (part.size / 2.0..=part.size * 2.0).contains(&size);
    slack.get() > 1 && plain.is_some_and(|plain| plain.p50.seen && near(plain.p50.size.abs()))
}

fn enter(found: &mut Interventions, part: SizeInterval) {
    let base = found.base;
    let own = found.readings.iter_mut().find(|reading| reading.cell == base && reading.cause == Cause::TimerSlack);
    let Some(reading) = own.filter(|own| part.width() < own.p50.width()) else { return };
    reading.p50 = part;
    reading.by = format!("{} (busy neighbour both)", reading.by);
    if let Some(finding) = &mut reading.finding {
        (finding.size, finding.low, finding.high) = (part.size, Some(part.low), Some(part.high));
        if let Some(changed) = finding.evidence.intervention_mut() {
            changed.measured_beside = Some("a busy neighbour");
        }
    }
}
