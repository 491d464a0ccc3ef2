//! Deadlines at exact multiples of a rate's period.

use oversleep::{Hertz, Nanos};

/// Deadlines at origin + n / rate.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    pub origin: Nanos,
    pub rate: Hertz,
}

impl Schedule {
    /// Returns deadline `n`, rounded up to the nanosecond.
    pub fn deadline(&self, n: i64) -> Nanos {
        let (above, below) = self.period();
        let offset = (i128::from(n) * above + below - 1).div_euclid(below);
        self.origin.saturating_add(Nanos::new(i64::try_from(offset).unwrap_or(i64::MAX)))
    }

    /// Returns the number of the first deadline after `now`.
    pub fn ahead(&self, now: Nanos) -> i64 {
        let (above, below) = self.period();
        let since = i128::from((now - self.origin).get());
        i64::try_from((since * below).div_euclid(above)).unwrap_or(i64::MAX - 1) + 1
    }

    /// Returns the period in nanoseconds as a fraction.
    fn period(&self) -> (i128, i128) {
        (i128::from(self.rate.denominator()) * 1_000_000_000, i128::from(self.rate.numerator()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_exact_and_the_next_one_is_ahead() {
        let schedule = Schedule { origin: Nanos::new(7), rate: Hertz::new(60, 1).unwrap() };
        let expected = [7, 16_666_674, 33_333_341, 50_000_007, 1_000_000_007];
        assert_eq!([0, 1, 2, 3, 60].map(|n| schedule.deadline(n).get()), expected);
        for n in 0..200 {
            let due = schedule.deadline(n);
            // At the deadline itself the next one is ahead; before it, none is skipped.
            assert_eq!(schedule.ahead(due), n + 1);
            assert_eq!(schedule.ahead(due - Nanos::new(1)), n);
        }
    }
}
