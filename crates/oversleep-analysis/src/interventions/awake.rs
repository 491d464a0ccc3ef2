//! Measures slack on a processor that never idles.
//!
//! Leaving idle scatters wake-ups by tens of microseconds, for reasons other than slack. Beside a neighbour that keeps
//! the processor awake, the same comparison (slack against no slack for an equal time) is several times as exact.

use super::blocks::AllBlocked;
use super::compare::{Effort, later};
use super::in_force;
use crate::patterns::Cause;
use oversleep_recording::Recording;
use oversleep_recording::document::{Interventions, SizeInterval};
use oversleep_recording::plan::Cell;
use oversleep_recording::plan::intervene::{Change, beside_neighbour, like, raised, real_time, without};
use oversleep_sys::units::Nanos;

/// Slacks measured beside the busy neighbour; `None` where that was not tried.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Awake {
    /// The baseline's slack.
    pub(super) base: Option<SizeInterval>,
    /// The same under a real-time policy.
    pub(super) real_time: Option<SizeInterval>,
}

/// Measures slack beside the neighbour. The baseline's is entered into its reading and returned only where the plain
/// comparison showed slack of about that size: under a tick, a longer sleep is more or less late without any slack.
pub(super) fn slacks(found: &mut Interventions, recording: &Recording, all: &AllBlocked, effort: Effort) -> Awake {
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
