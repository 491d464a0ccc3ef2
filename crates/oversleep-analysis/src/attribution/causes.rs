//! Converts the parts of a sleep to the causes that the pattern of the samples knows.

use super::{Breakdown, OversleepPart, Owner, PartEvidence, PartKind};
use oversleep_recording::document::Cause;
use std::collections::BTreeMap;

/// Returns one sleep's time by cause, in ns; `None` is what no cause explains. It sums to the oversleep.
pub fn by_cause(breakdown: &Breakdown) -> BTreeMap<Option<Cause>, i64> {
    let mut causes = BTreeMap::new();
    for part in &breakdown.parts {
        for (cause, ns) in part_by_cause(part) {
            *causes.entry(cause).or_default() += ns;
        }
    }
    // A slack of zero is kept as information: every sleep was examined for slack.
    causes.retain(|cause, ns| *ns != 0 || *cause == Some(Cause::TimerSlack));
    causes
}

/// Returns the times of a part with their causes, in ns: those of its owners, and what is left.
fn part_by_cause(part: &OversleepPart) -> impl Iterator<Item = (Option<Cause>, i64)> {
    let owned = part.owners.iter().map(|(owner, time)| (of_owner(part, owner), time.get()));
    let left = part.time.get() - part.owners.iter().map(|(_, time)| time.get()).sum::<i64>();
    owned.chain([(of_kind(part), left)])
}

/// Returns who used the processor during the time of this cause, with the times in ns.
pub fn owners_of(breakdown: &Breakdown, cause: Cause) -> impl Iterator<Item = (&Owner, i64)> {
    let owned =
        breakdown.parts.iter().flat_map(|part| part.owners.iter().map(move |(owner, time)| (part, owner, time)));
    owned
        .filter(move |(part, owner, _)| of_owner(part, owner) == Some(cause))
        .map(|(_, owner, time)| (owner, time.get()))
}

/// Returns the cause of a part's time that has no owner.
fn of_kind(part: &OversleepPart) -> Option<Cause> {
    match part.kind {
        // Slack by rule is not an observation, only what a tier without events has to assume.
        PartKind::Slack if part.evidence == PartEvidence::Known => None,
        PartKind::Slack => Some(Cause::TimerSlack),
        PartKind::IrqLate => Some(Cause::LateInterrupt),
        PartKind::RunQueue | PartKind::Preempted | PartKind::Irq => Some(Cause::RunQueue),
        PartKind::Stopped => Some(Cause::Stopped),
        PartKind::Entry
        | PartKind::ArmedLate
        | PartKind::IrqEntry
        | PartKind::OtherTimers
        | PartKind::Wake
        | PartKind::Return => Some(Cause::ConstantCost),
        PartKind::NotYetRun | PartKind::Rest => None,
    }
}

/// Returns the cause of an owner's time in a part. An idle processor is leaving idle; the timer interrupt's and the
/// sleeper's own work in the run queue is a cost of every wake-up.
fn of_owner(part: &OversleepPart, owner: &Owner) -> Option<Cause> {
    match (owner, part.kind) {
        (Owner::Idle(_), _) => Some(Cause::IdleExit),
        (Owner::Throttled, _) => Some(Cause::Throttled),
        (Owner::Timer | Owner::Sleeper, PartKind::RunQueue) => Some(Cause::ConstantCost),
        _ => of_kind(part),
    }
}
