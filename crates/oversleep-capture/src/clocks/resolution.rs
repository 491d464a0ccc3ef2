//! The resolution of a clock.

use super::steps::Steps;
use oversleep_os::clock::OpenClock;
use oversleep_recording::ClockSteps;
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;

/// Least number of readings, so that the share of repeated readings is meaningful.
const FEWEST: u64 = 10_000;
/// Readings between two checks of the time.
const STRETCH: u64 = 1_000;

/// Reads the clock repeatedly for `time`, or for up to `patience` if it has not advanced by then.
pub(super) fn observe(probe: &OpenClock, time: Nanos, patience: Nanos) -> ClockSteps {
    let mut steps = Steps::default();
    let start = clock::monotonic();
    loop {
        for _ in 0..STRETCH {
            steps.push(probe.read_ticks());
        }
        let passed = clock::monotonic() - start;
        let enough = passed >= time && steps.account.reads >= FEWEST;
        if enough && (steps.account.smallest_ticks.is_some() || passed >= patience) {
            return steps.account;
        }
    }
}
