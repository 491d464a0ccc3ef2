//! `idle-exit`: what keeping the processor from idling removes.
//!
//! There are two ways: holding the latency at 0, which makes processors poll instead of idling (needs a driver of idle
//! states, and permission for the file), and a busy neighbour, which leaves no time to idle. The one that removed more
//! is used: on virtual machines without an idle driver the hold does nothing, and the neighbour has a cost of its own.
//! What only the neighbour removed stays open where the processors may not have idled at all ([`doubts`]): it keeps
//! caches warm too.

use super::{changed, other, taken};
use crate::interventions::in_force;
use crate::{experiment, latency_hold};
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::{Changed, IdleExit, Witnessed};
use oversleep_recording::document::{Cause, CauseSize, Effect, Interventions, Undecided};
use oversleep_recording::plan::intervene::Change;
use oversleep_sys::units::Nanos;

pub(super) fn detect(found: &Interventions, recording: &Recording) -> Option<CauseSize> {
    let tried = tried(found);
    let best = best(found)?;
    // Sleeps became later: what that added hides whatever it removed.
    if best.p50.low > 0.0 {
        return None;
    }
    let doubts = doubts(found, recording);
    if !doubts.is_empty() {
        return in_doubt(found, recording);
    }
    let other = tried.into_iter().flatten().find(|other| other.cell != best.cell).map(other);
    let evidence = Changed { other, ..changed(best) };
    let mut reading = taken(found.base, Witnessed::<IdleExit>::of_change(evidence), best);
    if let Some(finding) = &mut reading.finding {
        finding.confounders.push("a neighbour also keeps clock speed and caches up".to_owned());
        // What had no effect here, or cannot have one, is not recommended.
        let hold = tried[0];
        let useless = if let Some(held) = recording.meta.machine.idle.latency_hold {
            Some(latency_hold::already(held))
        } else if hold.is_some_and(|hold| hold.cell != best.cell && !hold.p50.seen) {
            Some(latency_hold::DID_NOTHING.to_owned())
        } else {
            let longest = longest_exit(recording).filter(|exit| !latency_hold::is_worth_it(*exit, finding.size));
            longest.map(|exit| format!("holding the latency saves at most {exit} here"))
        };
        if let Some(why) = useless {
            finding.remedy = vec![latency_hold::instead(&why)];
        }
    }
    Some(reading)
}

/// Returns the reading where the neighbour's effect may not be idle exit: what the hold removed, if that was seen or bounds it, otherwise
/// the neighbour's effect as the most that it can be.
fn in_doubt(found: &Interventions, recording: &Recording) -> Option<CauseSize> {
    let [hold, neighbour] = tried(found);
    let hold = hold.filter(|hold| hold.p50.seen || bounds(hold, recording));
    let effect = hold.or(neighbour)?;
    let mut reading = taken(found.base, Witnessed::<IdleExit>::of_change(changed(effect)), effect);
    if hold.is_none() {
        (reading.finding, reading.seen, reading.p50.low) = (None, false, 0.0);
    }
    Some(reading)
}

/// Returns the question of what the neighbour removed, where that may not be idle exit.
pub(super) fn open(found: &Interventions, recording: &Recording) -> Option<Undecided> {
    let doubts = doubts(found, recording);
    let [hold, neighbour] = tried(found);
    let neighbour = neighbour.filter(|effect| effect.p50.seen && effect.p50.size < 0.0 && !doubts.is_empty())?;
    let base = recording.meta.plan.cells.iter().find(|cell| cell.id == found.base)?;
    let is_excluded = polls_already(recording) || hold.is_some_and(|hold| bounds(hold, recording));
    let first = if is_excluded { None } else { Some(Cause::IdleExit) };
    let candidates = first.into_iter().chain([Cause::ConstantCost]).map(|cause| cause.name().to_owned()).collect();
    Some(Undecided {
        question: format!(
            "why {} wakes {} earlier beside a busy neighbour",
            base.method,
            Nanos::from_f64(-neighbour.p50.size)
        ),
        why: format!("{}; {}", doubts.join("; "), alternatives(recording, is_excluded)),
        experiment: experiment::diagnosis(&recording.meta.origin, base),
        candidates,
    })
}

/// Returns what a neighbour keeps a sleeper from.
fn alternatives(recording: &Recording, is_excluded: bool) -> &'static str {
    match (is_excluded, recording.meta.machine.virtualisation.hypervisor.is_some()) {
        (true, _) => "a neighbour also keeps clock speed and caches up",
        (false, false) => "a neighbour keeps the processor from idling, and also clock speed and caches up",
        (false, true) => {
            "a neighbour keeps the processor from idling and the host from stopping it, and also clock speed and caches up"
        }
    }
}

/// Returns why what the neighbour removed may not be idle exit; empty if nothing speaks against it, or if the hold removed as much.
fn doubts(found: &Interventions, recording: &Recording) -> Vec<String> {
    let [hold, neighbour] = tried(found);
    let Some(neighbour) = neighbour.filter(|neighbour| hold.is_none_or(|hold| neighbour.p50.size < hold.p50.size))
    else {
        return Vec::new();
    };
    let mut doubts = Vec::new();
    if let Some(load) = recording.meta.machine.busy() {
        doubts.push(format!("the machine was busy when the run began ({load}), so its processors may not have idled"));
    }
    if polls_already(recording) {
        doubts.push("the latency was held at 0 ns already, so processors did not enter idle states".to_owned());
    } else if let Some(hold) = hold.filter(|hold| bounds(hold, recording) && neighbour.p50.size < hold.p50.low) {
        let most = Nanos::from_f64((-hold.p50.low).max(0.0));
        doubts.push(format!(
            "holding the latency at 0 ns, which keeps processors from idling too, removed at most {most}"
        ));
    }
    doubts
}

/// Returns whether the hold shows that what is left of the lateness is not idle exit: it was obtained, it had no effect, and there are
/// idle states that it forbids.
fn bounds(hold: &Effect, recording: &Recording) -> bool {
    !hold.p50.seen && has_idle_states(recording) && in_force::latency_hold(recording, hold.cell) == Some(Nanos::ZERO)
}

/// Returns whether processors polled in place of idling before the run began.
fn polls_already(recording: &Recording) -> bool {
    has_idle_states(recording) && recording.meta.machine.idle.latency_hold == Some(Nanos::ZERO)
}

/// Returns whether a driver provides idle states besides polling. Without one, processors idle whatever latency is held.
fn has_idle_states(recording: &Recording) -> bool {
    recording.meta.machine.idle.states.iter().any(|state| state.disabled != Some(true) && state.name != "POLL")
}

/// Returns the longest time that leaving an idle state takes, of those that are not switched off; `None` where that does
/// not bound what a latency hold saves.
fn longest_exit(recording: &Recording) -> Option<Nanos> {
    let machine = Some(&recording.meta.machine).filter(|machine| latency_hold::is_bounded(machine))?;
    let states = machine.idle.states.iter().filter(|state| state.disabled != Some(true));
    states.filter_map(|state| state.latency).max()
}

/// Returns the effects of the hold and of the neighbour, where they were tried.
fn tried(found: &Interventions) -> [Option<&Effect>; 2] {
    let neighbour = |change: &Change| matches!(change, Change::Neighbour { .. });
    let hold = found.first_effect(|change| matches!(change, Change::Hold { hold_ns: Some(_) }));
    [hold, found.first_effect(neighbour).or_else(|| found.beyond(neighbour))]
}

/// Returns the effect that removed more.
pub(super) fn best(found: &Interventions) -> Option<&Effect> {
    tried(found).into_iter().flatten().min_by(|a, b| a.p50.size.total_cmp(&b.p50.size))
}
