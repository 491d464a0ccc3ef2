//! `missed-periods`: wake-ups so late that whole periods were skipped, as counted in the recording.

use super::{At, Detection};
use crate::patterns::features::Features;
use oversleep_recording::document::evidence::MissedPeriods;
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let accounts = features.recording.note.periods.iter().filter(|account| account.cell == cell.cell.id);
        let (asked, skipped) =
            accounts.fold((0, 0), |(asked, skipped), account| (asked + account.asked, skipped + account.skipped));
        if skipped > 0 && asked > 0 {
            let evidence = MissedPeriods { asked, skipped };
            let finding = Finding::new(evidence, skipped as f64 / asked as f64, Unit::Share).sure(1.0);
            seen.push((At::View(view), finding));
        }
    }
    seen
}
