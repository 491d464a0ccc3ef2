//! How a clock advances between one reading and the next on one thread.

/// Account of successive readings of one clock, in its own ticks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Steps {
    last: Option<i64>,
    /// Readings taken.
    pub reads: u64,
    /// Readings equal to the one before.
    pub repeated: u64,
    /// Readings below the one before.
    pub backwards: u64,
    /// The furthest that one reading lay below the one before; 0 if none did.
    pub worst_backwards: u64,
    /// The smallest distance forwards; `None` if the clock was not seen to move.
    pub smallest: Option<u64>,
}

impl Steps {
    /// Takes the next reading.
    #[inline]
    pub fn push(&mut self, reading: i64) {
        self.reads += 1;
        let Some(last) = self.last.replace(reading) else { return };
        let distance = reading.abs_diff(last);
        if distance == 0 {
            self.repeated += 1;
        } else if reading < last {
            self.backwards += 1;
            self.worst_backwards = self.worst_backwards.max(distance);
        } else if self.smallest.is_none_or(|smallest| distance < smallest) {
            self.smallest = Some(distance);
        }
    }

    /// Share of readings equal to the one before, 0 to 1; `None` from fewer than two readings.
    pub fn repeated_share(&self) -> Option<f64> {
        (self.reads > 1).then(|| self.repeated as f64 / (self.reads - 1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(readings: &[i64]) -> Steps {
        let mut steps = Steps::default();
        for &reading in readings {
            steps.push(reading);
        }
        steps
    }

    #[test]
    fn every_reading_is_counted_once() {
        let steps = of(&[10, 10, 14, 12, 20, 20, 23]);
        assert_eq!((steps.reads, steps.repeated, steps.backwards, steps.worst_backwards), (7, 2, 1, 2));
        assert_eq!(steps.smallest, Some(3));
        assert_eq!(steps.repeated_share(), Some(2.0 / 6.0));
    }

    #[test]
    fn a_clock_that_stands_still_has_no_step() {
        assert_eq!(of(&[5, 5, 5]).smallest, None);
        assert_eq!(of(&[5, 5, 5]).repeated_share(), Some(1.0));
        assert_eq!(of(&[5]).repeated_share(), None);
        assert_eq!(of(&[]).repeated_share(), None);
    }

    #[test]
    fn the_ends_of_the_range_do_not_overflow() {
        let steps = of(&[i64::MIN, i64::MAX, i64::MIN]);
        assert_eq!((steps.smallest, steps.worst_backwards), (Some(u64::MAX), u64::MAX));
    }
}
