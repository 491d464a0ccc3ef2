//! Steps of a clock between consecutive readings on one thread.

use oversleep_os::clock::OpenClock;
use oversleep_recording::ClockSteps;
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;

/// Least number of readings, so that the share of repeated readings is meaningful.
const FEWEST: u64 = 10_000;
/// Readings between two checks of the time.
const STRETCH: u64 = 1_000;

/// Counts the steps between successive readings of one clock, in its own ticks.
#[derive(Debug, Default)]
pub(super) struct Steps {
    last: Option<i64>,
    pub(super) account: ClockSteps,
}

impl Steps {
    /// Adds the next reading.
    #[inline]
    pub(super) fn push(&mut self, reading: i64) {
        let account = &mut self.account;
        account.reads += 1;
        let Some(last) = self.last.replace(reading) else { return };
        let distance = reading.abs_diff(last);
        if distance == 0 {
            account.repeated += 1;
        } else if reading < last {
            account.backwards += 1;
            account.worst_backwards_ticks = account.worst_backwards_ticks.max(distance);
        } else if account.smallest_ticks.is_none_or(|smallest| distance < smallest) {
            account.smallest_ticks = Some(distance);
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn count_steps(readings: &[i64]) -> ClockSteps {
        let mut steps = Steps::default();
        for &reading in readings {
            steps.push(reading);
        }
        steps.account
    }

    #[test]
    fn every_reading_is_counted_once() {
        let steps = count_steps(&[10, 10, 14, 12, 20, 20, 23]);
        assert_eq!((steps.reads, steps.repeated, steps.backwards, steps.worst_backwards_ticks), (7, 2, 1, 2));
        assert_eq!(steps.smallest_ticks, Some(3));
    }

    #[test]
    fn a_clock_that_stands_still_has_no_step() {
        assert_eq!(count_steps(&[5, 5, 5]).smallest_ticks, None);
        assert_eq!((count_steps(&[5, 5, 5]).reads, count_steps(&[5, 5, 5]).repeated), (3, 2));
        assert_eq!(count_steps(&[]), ClockSteps::default());
    }

    #[test]
    fn the_ends_of_the_range_do_not_overflow() {
        let steps = count_steps(&[i64::MIN, i64::MAX, i64::MIN]);
        assert_eq!((steps.smallest_ticks, steps.worst_backwards_ticks), (Some(u64::MAX), u64::MAX));
    }
}
