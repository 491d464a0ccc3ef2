//! `timer-slack`: what the least slack removes. If the baseline already has the least: the part of an added slack that
//! is not felt, which is zero if there was none before.

use super::{changed, other, taken};
use crate::interventions::in_force;
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::{Changed, TimerSlack, Witnessed};
use oversleep_recording::document::{Cause, CauseSize, Effect, Interventions, Shift, SizeInterval};
use oversleep_recording::plan::intervene::Change;

pub(super) fn detect(found: &Interventions, recording: &Recording) -> Option<CauseSize> {
    let to =
        |ns: i64| move |change: &Change| matches!(change, Change::Slack { slack_ns: Some(slack) } if slack.get() == ns);
    if let Some(least) = found.first_effect(to(1)) {
        // Under a tick a longer request alone makes a sleep less late: the counterpart determines the size only where
        // the least slack itself shows that there is slack.
        let as_long = found.first_effect(|change| matches!(change, Change::SlackAsLong { .. }));
        let both = as_long.filter(|as_long| as_long.p50.seen && least.p50.seen);
        return Some(lowered(both.unwrap_or(least), found));
    }
    // Without a variant of the least slack, the baseline has it. The smallest rise is most exact, if it took effect.
    let rise = [50_000, 1_000_000].into_iter().find_map(|ns| found.first_effect(to(ns)))?;
    let known = in_force::slack(recording, rise.cell).filter(|slack| slack.get() > 1)?;
    Some(raised(known.as_f64(), rise, recording, found.base))
}

/// Returns what the least slack removes, with the effect of more slack as further evidence.
fn lowered(least: &Effect, found: &Interventions) -> CauseSize {
    let more =
        found.first_effect(|change| matches!(change, Change::Slack { slack_ns: Some(slack) } if slack.get() > 1));
    let evidence = Changed { other: more.map(other), ..changed(least) };
    let mut reading = taken(found.base, Witnessed::<TimerSlack>::of_change(evidence), least);
    reading.p50 = reading.p50.or_delay(least.delay.negated());
    let Some(finding) = &mut reading.finding else { return reading };
    (finding.size, finding.low, finding.high) = (reading.p50.size, Some(reading.p50.low), Some(reading.p50.high));
    if matches!(least.change, Change::Slack { .. }) {
        finding.confounders.push(
            "a sleep without slack is shorter by it: where lateness grows with sleep, that growth is in the difference"
                .into(),
        );
    }
    reading
}

fn raised(known: f64, rise: &Effect, recording: &Recording, base: u32) -> CauseSize {
    let felt = |shift: &Shift| SizeInterval { size: shift.size, low: shift.low, high: shift.high };
    let p50 = felt(&rise.p50).or_delay(rise.delay).less(known);
    let own = in_force::slack(recording, base);
    CauseSize {
        cell: base,
        cause: Cause::TimerSlack,
        p50,
        p99: rise.p99.as_ref().map(|p99| felt(p99).less(known)),
        // There is slack if the rise has less effect than its size, beyond chance, and the system does not say that
        // there is none.
        seen: p50.low > 0.0 && rise.p50.seen && own.is_none_or(|own| own.get() > 1),
        by: rise.in_words(),
        finding: None,
    }
}
