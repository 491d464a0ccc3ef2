//! `constant-cost`, the part before the sleep: a duration counts from when the kernel reads its clock, a deadline does
//! not move. What the deadline takes away is the way there.

use super::{Reading, taken};
use crate::analysis::interventions::effect::Interventions;
use crate::analysis::patterns::Cause;
use oversleep_recording::Recording;
use oversleep_recording::plan::intervene::Change;

pub(super) fn look(found: &Interventions, _: &Recording) -> Option<Reading> {
    let mut reading =
        taken(found.base, Cause::ConstantCost, found.of(|change| matches!(change, Change::Absolute { .. }))?);
    if let Some(finding) = &mut reading.finding {
        finding.evidence.insert("part".to_owned(), "from the program's clock to the kernel's".into());
        finding.remedy = vec![crate::analysis::patterns::Remedy {
            system: "any".into(),
            command: "ask for a deadline in place of a duration".into(),
            note: "what happens before the sleep then costs nothing".into(),
        }];
    }
    Some(reading)
}
