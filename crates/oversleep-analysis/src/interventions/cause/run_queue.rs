//! `run-queue`: what running before all time-sharing threads removes.
//!
//! Real-time threads also have no slack, so the comparison is with the least slack.

use super::{changed, taken};
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::{RunQueue, Witnessed};
use oversleep_recording::document::{CauseSize, Interventions};
use oversleep_recording::plan::intervene::Change;

pub(super) fn detect(found: &Interventions, _: &Recording) -> Option<CauseSize> {
    let real_time =
        |change: &Change| matches!(change, Change::Policy { policy: Some(policy) } if policy.is_real_time());
    let effect = found.beyond(real_time)?;
    let mut reading = taken(found.base, Witnessed::<RunQueue>::of_change(changed(effect)), effect);
    if let Some(finding) = &mut reading.finding {
        finding.confounders.push("the scheduler's own work differs between policies".to_owned());
    }
    Some(reading)
}
