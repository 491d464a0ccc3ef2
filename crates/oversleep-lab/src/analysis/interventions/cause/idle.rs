//! `idle-exit`: what keeping the processor from idling removes.
//!
//! There are two ways: holding the latency at 0, which makes processors poll instead of idling (needs a driver of idle
//! states, and permission for the file), and a busy neighbour, which leaves no time to idle. The one that removed more
//! is used: on virtual machines without an idle driver the hold does nothing, and the neighbour has a cost of its own.

use super::{changed, other, taken};
use crate::analysis::latency_hold;
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::{Changed, IdleExit, Witnessed};
use oversleep_recording::document::{CauseSize, Effect, Interventions};
use oversleep_recording::plan::intervene::Change;
use oversleep_sys::units::Nanos;

pub(super) fn detect(found: &Interventions, recording: &Recording) -> Option<CauseSize> {
    let (tried, best) = (tried(found), best(found)?);
    // Sleeps became later: what that added hides whatever it removed.
    if best.p50.low > 0.0 {
        return None;
    }
    let hold = tried[0];
    let other = tried.into_iter().flatten().find(|other| other.cell != best.cell).map(other);
    let evidence = Changed { other, ..changed(best) };
    let mut reading = taken(found.base, Witnessed::<IdleExit>::of_change(evidence), best);
    if let Some(finding) = &mut reading.finding {
        finding.confounders.push("a neighbour also keeps clock speed and caches up".to_owned());
        // What had no effect here, or cannot have one, is not recommended.
        let useless = if let Some(held) = recording.meta.machine.idle.latency_hold {
            Some(latency_hold::already(held))
        } else if hold.is_some_and(|hold| hold.cell != best.cell && !hold.p50.seen) {
            Some("holding the latency did nothing here".to_owned())
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
    let hold = found.of(|change| matches!(change, Change::Hold { hold_ns: Some(_) }));
    [hold, found.of(neighbour).or_else(|| found.beyond(neighbour))]
}

/// Returns the effect that removed more.
pub(super) fn best(found: &Interventions) -> Option<&Effect> {
    tried(found).into_iter().flatten().min_by(|a, b| a.p50.size.total_cmp(&b.p50.size))
}
