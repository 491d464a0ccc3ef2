//! Removes remedies that the recording itself tried, where they did not help.

use crate::latency_hold::{DID_NOTHING, holds, instead};
use oversleep_recording::document::{Diagnosis, Effect, Finding, Interventions, Remedy};
use oversleep_recording::plan::Policy;
use oversleep_recording::plan::intervene::Change;

/// Removes from every finding the remedies of which no effect was seen, or a harmful one.
pub(super) fn drop_useless(found: &Interventions, diagnosis: &mut Diagnosis) {
    let of_cells = diagnosis.cells.iter_mut().flat_map(|cell| &mut cell.findings);
    for finding in of_cells.chain(&mut diagnosis.machine) {
        drop_from(finding, found);
    }
}

fn drop_from(finding: &mut Finding, found: &Interventions) {
    let (useless, kept): (Vec<Remedy>, Vec<Remedy>) =
        finding.remedy.drain(..).partition(|remedy| is_useless(remedy, found));
    finding.remedy = kept;
    let alternatives = useless.iter().filter_map(alternative);
    finding.remedy.extend(alternatives);
    if finding.remedy.is_empty() && useless.iter().any(holds) {
        finding.remedy = vec![instead(DID_NOTHING)];
    }
}

/// Returns the rest of a remedy whose first alternative, a real-time policy, is useless.
fn alternative(remedy: &Remedy) -> Option<Remedy> {
    let (_, rest) = remedy.command.split_once(", or ").filter(|_| remedy.makes_real_time())?;
    Some(Remedy { command: rest.to_owned(), predicted: None, ..remedy.clone() })
}

/// Returns whether the recording tried a remedy, and it did not help. A remedy whose effect is undecided may help.
fn is_useless(remedy: &Remedy, found: &Interventions) -> bool {
    let tried = |effect: &&Effect| effect.given.is_none() && is_tried(remedy, &effect.change);
    let tried: Vec<&Effect> = found.effects.iter().filter(tried).collect();
    !tried.is_empty() && tried.iter().all(|effect| !effect.helped() && !found.is_undecided(effect))
}

/// Returns whether a change does what a remedy recommends.
fn is_tried(remedy: &Remedy, change: &Change) -> bool {
    match change {
        Change::Hold { hold_ns: Some(_) } => holds(remedy),
        Change::Slack { slack_ns: Some(slack) } => slack.get() <= 1 && remedy.command.contains("PR_SET_TIMERSLACK"),
        Change::Policy { policy: Some(Policy::Fifo { .. }) } => remedy.makes_real_time(),
        _ => false,
    }
}
