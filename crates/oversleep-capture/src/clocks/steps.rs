//! Steps of a clock between consecutive readings on one thread.

use oversleep_recording::ClockSteps;

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
