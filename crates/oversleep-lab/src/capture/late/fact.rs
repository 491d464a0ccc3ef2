//! What is known of a late sleep from its sample alone, and the time around it that matters.

use oversleep_recording::{LateSleep, Sample};
use oversleep_sys::units::Nanos;

/// Recorded before the sleep was due, at least; and after it returned.
const BEFORE: Nanos = Nanos::MILLISECOND;
pub(in crate::capture) const AFTER: Nanos = Nanos::from_micros(200);

/// Returns the time from which on events are kept: from the sleep's start, and from a millisecond (or once its
/// lateness) before it was due.
pub(in crate::capture) fn since(sample: &Sample) -> Nanos {
    let late = sample.oversleep();
    let due = sample.end.saturating_sub(late);
    sample.start.min(due.saturating_sub(BEFORE.max(late)))
}

/// Returns the sample as a late sleep of which nothing was recorded.
pub(in crate::capture) fn fact(sample: &Sample) -> LateSleep {
    LateSleep {
        cell: sample.cell,
        thread: sample.thread,
        sequence: sample.sequence,
        requested: sample.requested,
        deadline: sample.deadline,
        start: sample.start,
        at: sample.end,
        length: sample.oversleep(),
        cpu: (sample.cpu_end != Sample::NO_CPU).then_some(sample.cpu_end),
        ..LateSleep::default()
    }
}
