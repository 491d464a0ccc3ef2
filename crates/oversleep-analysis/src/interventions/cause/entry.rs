//! `constant-cost`, its part before the sleep: a duration counts from the kernel's clock reading, while a deadline is
//! fixed. What a deadline removes is the time until that reading.

use super::{changed, taken};
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::{Changed, ConstantCost, Witnessed};
use oversleep_recording::document::{CauseSize, Interventions, Remedy};
use oversleep_recording::plan::intervene::Change;

pub(super) fn detect(found: &Interventions, _: &Recording) -> Option<CauseSize> {
    let absolute = found.first_effect(|change| matches!(change, Change::Absolute { .. }))?;
    let evidence = Changed { part: Some("from the program's clock to the kernel's"), ..changed(absolute) };
    let mut reading = taken(found.base, Witnessed::<ConstantCost>::of_change(evidence), absolute);
    if let Some(finding) = &mut reading.finding {
        finding.remedy = vec![Remedy::new(
            "any",
            "ask for a deadline in place of a duration",
            "what happens before the sleep then costs nothing",
        )];
    }
    Some(reading)
}
