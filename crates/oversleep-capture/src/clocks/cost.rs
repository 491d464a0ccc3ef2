//! The cost of one reading, measured in a loop of many calls, as in the OS X article.

use oversleep_os::clock::OpenClock;
use oversleep_recording::ClockCost;
use oversleep_sys::clock;

/// Times a loop of `calls`. One untimed call beforehand loads code and data into the caches.
pub(super) fn time(probe: &OpenClock, calls: u64) -> ClockCost {
    probe.repeat(1);
    let start = clock::monotonic();
    probe.repeat(calls);
    ClockCost { calls, total: clock::monotonic() - start }
}
