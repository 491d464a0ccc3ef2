//! Facts about a late sleep from its sample only, and the time around it from which events are kept.

use oversleep_recording::{LateSleep, Sample};
use oversleep_sys::units::Nanos;

/// Least time kept before the deadline, and time kept after the end of the sleep.
const BEFORE: Nanos = Nanos::MILLISECOND;
pub(crate) const AFTER: Nanos = Nanos::from_micros(200);

/// Returns the time from which events are kept: the start of the sleep, or a millisecond (or the sleep's lateness, if
/// longer) before it was due, whichever is earlier.
pub(crate) fn since(sample: &Sample) -> Nanos {
    let late = sample.oversleep();
    let due = sample.end.saturating_sub(late);
    sample.start.min(due.saturating_sub(BEFORE.max(late)))
}

/// Returns the sample as a late sleep about which nothing was recorded.
pub(crate) fn fact(sample: &Sample) -> LateSleep {
    LateSleep {
        cell: sample.cell,
        thread: sample.thread,
        sequence: sample.sequence,
        requested: sample.requested,
        deadline: sample.deadline,
        start: sample.start,
        at: sample.end,
        length: sample.oversleep(),
        cpu: sample.cpu(),
        ..LateSleep::default()
    }
}
