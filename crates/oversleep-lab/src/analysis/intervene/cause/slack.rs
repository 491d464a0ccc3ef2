//! `timer-slack`: what the least slack takes away. Where the base has the least already, what more slack adds beyond
//! its size: nothing, if there was none before.

use super::{Part, Reading, named, taken};
use crate::analysis::diagnose::Cause;
use crate::analysis::intervene::effect::{Effect, Interventions};
use crate::plan::intervene::Change;
use crate::recording::Recording;

pub(super) fn look(found: &Interventions, recording: &Recording) -> Option<Reading> {
    let to =
        |ns: i64| move |change: &Change| matches!(change, Change::Slack { slack_ns: Some(slack) } if slack.get() == ns);
    if let Some(least) = found.of(to(1)) {
        return Some(with_dose(taken(Cause::TimerSlack, least), found));
    }
    // Without the least among the variants the base has it. The smallest rise says the most.
    let rises = [50_000, 1_000_000];
    let (known, rise) = rises.into_iter().find_map(|ns| Some((ns, found.of(to(ns))?)))?;
    Some(raised(known as f64, rise, recording, found.base))
}

fn raised(known: f64, rise: &Effect, recording: &Recording, base: u32) -> Reading {
    let p50 = Part::less(known, &rise.p50);
    let own = recording.note.obtained.iter().find(|note| note.cell == base);
    let own = own.and_then(|note| note.conditions.timer_slack);
    Reading {
        cause: Cause::TimerSlack,
        p50,
        p99: rise.p99.as_ref().map(|p99| Part::less(known, p99)),
        // Slack is there if less is felt of the rise than it is, which chance does not explain, and if the system
        // does not say that there is none.
        seen: p50.low > 0.0 && rise.p50.seen && own.is_none_or(|own| own.get() > 1),
        by: named(rise),
        finding: None,
    }
}

/// What more slack added: slack is slack if ten times as much does ten times as much.
fn with_dose(mut reading: Reading, found: &Interventions) -> Reading {
    let more = found.of(|change| matches!(change, Change::Slack { slack_ns: Some(slack) } if slack.get() > 1));
    if let (Some(finding), Some(more)) = (&mut reading.finding, more) {
        finding.evidence.insert(format!("with_{}", named(more)), more.p50.size.into());
    }
    reading
}
