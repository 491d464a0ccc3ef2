//! Recorded circumstances as evidence for and against the candidates of an open question: busy threads, a quota of
//! processor time, whether timers fire between ticks.

use super::features::{Features, load};
use oversleep_model::may_add;
use oversleep_recording::catalog::SlackRule;
use oversleep_recording::document::{Cause, Undecided};
use oversleep_sys::units::Nanos;

/// Moves the candidates that a group's recorded circumstances make likely to the front, removes those that they
/// exclude, and names the circumstances in the reason.
pub(super) fn weigh(features: &Features<'_>, group: usize, open: &mut Undecided) {
    exclude(features, open);
    if !open.question.starts_with("what rules") {
        return;
    }
    let mut told = Vec::new();
    let timekeeping = &features.recording.meta.machine.timekeeping;
    let tick = Cause::TickQuantised.name();
    match (timekeeping.high_resolution, timekeeping.tick_claimed) {
        (Some(true), _) if !features.wheels[group] && open.candidates.iter().any(|name| name.starts_with(tick)) => {
            open.candidates.retain(|name| !name.starts_with(tick));
            told.push("timers here fire between ticks".to_owned());
        }
        (Some(false), Some(length)) if length > Nanos::ZERO => {
            let hz = 1e9 / length.as_f64();
            first(&mut open.candidates, &format!("{tick} {} Hz", (hz * 1e3).round() / 1e3));
            told.push(format!("timers here fire at ticks of {length}"));
        }
        _ => {}
    }
    if let Some(quota) = &features.recording.meta.machine.quota {
        first(&mut open.candidates, Cause::Throttled.name());
        told.push(format!("a quota of {} in {} was in force", quota.quota, quota.period));
    }
    if let Some(busy) = load::beside(features.recording, &features.groups[group].conditions) {
        first(&mut open.candidates, Cause::RunQueue.name());
        told.push(busy);
    }
    if !told.is_empty() {
        open.why = format!("{}; {}", open.why, told.join(", "));
    }
}

/// Removes the candidates that the recording's system does not have.
fn exclude(features: &Features<'_>, open: &mut Undecided) {
    let may = may_add(features.recording, SlackRule::Share);
    let has = |name: &String| match name.as_str() {
        name if name == Cause::TimerSlack.name() => may.slack,
        name if name == Cause::ProportionalSlack.name() => may.share,
        _ => true,
    };
    open.candidates.retain(has);
}

/// Moves a candidate to the front, or adds it there.
fn first(candidates: &mut Vec<String>, name: &str) {
    candidates.retain(|other| other != name);
    candidates.insert(0, name.to_owned());
}
