//! Late sleeps of which more is known than their times: kernel events around them (`--on-late`), or how long their thread waited
//! in run queues.

use super::group::{Group, View, samples_by_cell};
use crate::attribution::{ExaminedSleeps, TimedSleep, counters, late_sleeps};
use oversleep_recording::document::Witness;
use oversleep_recording::plan::Conditions;
use oversleep_recording::trace::ThreadCounters;
use oversleep_recording::{Recording, Sample};

/// Lateness beyond a cell's least from which a sleep's wait in run queues is examined, in ns. Every wake-up passes through a run
/// queue, where it waits for some microseconds without any other thread: as a part of less lateness, that is the price of waking.
const LATE: i64 = 100_000;

/// Most sleeps of a cell whose waits are examined, the latest ones: 0.3 KB each.
const MOST: usize = 20_000;

/// Returns the examined sleeps of each view; `None` for a view of whose sleeps none was examined and explained.
pub(super) fn of_views(recording: &Recording, views: &[View<'_>], groups: &[Group]) -> Vec<Option<ExaminedSleeps>> {
    let late = late_sleeps(&recording.meta.plan, &recording.note);
    let by_events = |view: &View<'_>| {
        let late = late.as_ref()?;
        let own = late.sleeps.iter().filter(|sleep| sleep.cell == view.cell.id);
        let breakdowns = own.filter_map(|sleep| sleep.breakdown.clone()).collect();
        ExaminedSleeps::new(late.account.threshold.get(), Witness::Trace, breakdowns)
    };
    let counted = recording.samples.iter().any(|sample| sample.run_queue.get().is_some());
    let mut samples = if counted { samples_by_cell(recording) } else { Vec::new() };
    samples.retain(|samples| !samples.is_empty());
    let by_counters = |at: usize| {
        let obtained = groups[views[at].group].obtained.as_ref();
        counted_sleeps(recording, &views[at], obtained, samples.get(at)?)
    };
    views.iter().enumerate().map(|(at, view)| by_events(view).or_else(|| by_counters(at))).collect()
}

/// Returns the sleeps whose waits in run queues were counted. Not where such a wait may be for more processor time of its own,
/// which the counter does not tell from a wait for other threads: under a quota, and under real-time policies, which the kernel
/// throttles (`update_curr_rt`, `throttle_cfs_rq`; throttled threads stay runnable, `sched_info_queued`, 6.12).
fn counted_sleeps(
    recording: &Recording,
    view: &View<'_>,
    obtained: Option<&Conditions>,
    samples: &[&Sample],
) -> Option<ExaminedSleeps> {
    if recording.meta.machine.quota.is_some() || obtained.is_none_or(Conditions::is_real_time) {
        return None;
    }
    let latest = view.sorted.len().checked_sub(MOST).map_or(i64::MIN, |rank| view.sorted[rank]);
    let threshold = view.least.saturating_add(LATE).max(latest);
    let late = samples.iter().filter(|sample| sample.oversleep().get() > threshold);
    let slept = late.filter_map(|sample| {
        let counted = ThreadCounters { run_delay: Some(sample.run_queue.get()?), ..ThreadCounters::default() };
        Some(TimedSleep::from_sample(sample, Some(view.cell), obtained, counted))
    });
    ExaminedSleeps::new(threshold, Witness::Counters, counters::join(&slept.collect::<Vec<_>>()))
}
