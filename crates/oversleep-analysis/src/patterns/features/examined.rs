//! Late sleeps that were examined one by one while the recording ran (`--on-late`).

use super::group::View;
use crate::attribution::{ExaminedSleeps, late_sleeps};
use oversleep_recording::Recording;

/// Returns the examined sleeps of each view; `None` for a view of whose sleeps none was examined and explained.
pub(super) fn of_views(recording: &Recording, views: &[View<'_>]) -> Vec<Option<ExaminedSleeps>> {
    let late = late_sleeps(&recording.meta.plan, &recording.note);
    let of_view = |view: &View<'_>| {
        let late = late.as_ref()?;
        let own = late.sleeps.iter().filter(|sleep| sleep.cell == view.cell.id);
        let breakdowns = own.filter_map(|sleep| sleep.breakdown.clone()).collect();
        ExaminedSleeps::new(late.account.threshold.get(), breakdowns)
    };
    views.iter().map(of_view).collect()
}
