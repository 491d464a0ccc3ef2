//! `run-queue`: what running before all time-sharing threads takes away.
//!
//! Real-time threads have no slack either, so the comparison is with the least slack, which has none as well.

use super::{Reading, taken};
use crate::analysis::diagnose::Cause;
use crate::analysis::intervene::effect::Interventions;
use crate::plan::intervene::Change;
use crate::recording::Recording;

pub(super) fn look(found: &Interventions, _: &Recording) -> Option<Reading> {
    let real_time =
        |change: &Change| matches!(change, Change::Policy { policy: Some(policy) } if policy.is_real_time());
    let mut reading = taken(found.base, Cause::RunQueue, found.beyond(real_time)?);
    if let Some(finding) = &mut reading.finding {
        finding.confounders.push("the scheduler's own work differs between policies".to_owned());
    }
    Some(reading)
}
