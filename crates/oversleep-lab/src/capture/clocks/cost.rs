//! What one reading costs, as the OS X article measured it: many calls in a loop.

use oversleep_recording::ClockCost;
use oversleep_sys::clock::{self, Probe};

/// Measures a loop of `calls`. Only the loop: one call beforehand brings code and data near.
pub(super) fn time(probe: &Probe, calls: u64) -> ClockCost {
    probe.repeat(1);
    let start = clock::monotonic();
    probe.repeat(calls);
    ClockCost { calls, total: clock::monotonic() - start }
}
