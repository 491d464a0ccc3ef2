//! How finely a clock advances.

use super::steps::Steps;
use oversleep_recording::ClockSteps;
use oversleep_sys::clock::{self, Probe};
use oversleep_sys::units::Nanos;

/// Reads at least this often, so that a share of repeated readings means something.
const FEWEST: u64 = 10_000;
/// Reads between two looks at the time.
const STRETCH: u64 = 1_000;

/// Reads the clock again and again for `time`; up to `patience` if it has not moved by then.
pub(super) fn observe(probe: &Probe, time: Nanos, patience: Nanos) -> ClockSteps {
    let mut steps = Steps::default();
    let start = clock::monotonic();
    loop {
        for _ in 0..STRETCH {
            steps.push(probe.ticks());
        }
        let passed = clock::monotonic() - start;
        let enough = passed >= time && steps.account.reads >= FEWEST;
        if enough && (steps.account.smallest_ticks.is_some() || passed >= patience) {
            return steps.account;
        }
    }
}
