//! The times at which units are due: exact arithmetic, no clock.

use crate::{Hertz, Nanos};

/// The schedule of a pacer: unit k is due at k / rate after the origin, unless time was lost.
///
/// Times are stored in ns × the rate's numerator, in which both a nanosecond and the time of a unit are whole
/// numbers: only results are rounded. (It is the generic cell rate algorithm, ITU-T I.371
/// annex A, with the theoretical arrival time as an exact fraction.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Schedule {
    /// Length of one nanosecond, in that unit.
    nanosecond: u128,
    /// Time per unit.
    unit: u128,
    /// Number of units that may be taken at once.
    burst: u64,
    /// Whether the burst grows to the largest number of units taken at once.
    grows: bool,
    /// When the next unit is due, after the origin.
    due: u128,
    taken: u64,
    forgone: u128,
}

impl Schedule {
    /// Returns the schedule; without a burst, one that grows. `Err` with the burst if it takes 292 years or longer.
    pub(super) fn new(rate: Hertz, burst: Option<u64>) -> Result<Self, u64> {
        let nanosecond = u128::from(rate.numerator());
        // A number of 64 bits times one of 30 bits.
        let unit = u128::from(rate.denominator()) * 1_000_000_000;
        let ten_milliseconds = rate.numerator() / rate.denominator() / 100;
        let grows = burst.is_none();
        let burst = burst.unwrap_or(ten_milliseconds.saturating_add(2));
        let schedule = Self { nanosecond, unit, burst, grows, due: 0, taken: 0, forgone: 0 };
        if schedule.can_be_kept(burst) { Ok(schedule) } else { Err(burst) }
    }

    /// Returns whether a burst takes less than 292 years.
    fn can_be_kept(&self, burst: u64) -> bool {
        let longest = self.nanosecond * u128::from(i64::MAX.unsigned_abs());
        self.unit.checked_mul(u128::from(burst)).is_some_and(|whole| whole < longest)
    }

    /// Lets the burst grow to `n` units, if it may; returns whether `n` units can be taken at once.
    pub(super) fn covers(&mut self, n: u64) -> bool {
        if self.grows && n > self.burst && self.can_be_kept(n) {
            self.burst = n;
        }
        n <= self.burst
    }

    pub(super) fn burst(&self) -> u64 {
        self.burst
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Returns the time in which units could have been taken and were not, beyond the burst.
    pub(super) fn forgone(&self) -> Nanos {
        self.rounded_up(self.forgone)
    }

    /// Discards time beyond the burst: units not taken for longer than that cannot be taken later.
    pub(super) fn forgo(&mut self, now: Nanos) {
        let unused = self.unit * u128::from(self.burst - 1);
        let least = self.scaled(now).saturating_sub(unused);
        if self.due < least {
            self.forgone = self.forgone.saturating_add(least - self.due);
            self.due = least;
        }
    }

    /// Returns when `n` more units are all due, 1 ≤ n ≤ burst, rounded up to the nanosecond.
    pub(super) fn ready_at(&self, n: u64) -> Nanos {
        self.rounded_up(self.due.saturating_add(self.unit * u128::from(n.saturating_sub(1))))
    }

    /// Returns the number of units due at `now`, at most `limit`.
    pub(super) fn due_at(&self, now: Nanos, limit: u64) -> u64 {
        let Some(ahead) = self.scaled(now).checked_sub(self.due) else { return 0 };
        u64::try_from(ahead / self.unit + 1).unwrap_or(u64::MAX).min(limit)
    }

    pub(super) fn take(&mut self, n: u64) {
        // The due time saturates where the clock's range ends anyway.
        self.due = self.due.saturating_add(self.unit * u128::from(n));
        self.taken = self.taken.saturating_add(n);
    }

    fn scaled(&self, time: Nanos) -> u128 {
        u128::try_from(time.get()).unwrap_or(0) * self.nanosecond
    }

    fn rounded_up(&self, scaled: u128) -> Nanos {
        Nanos::new(i64::try_from(scaled.div_ceil(self.nanosecond)).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hertz(numerator: u64, denominator: u64) -> Hertz {
        Hertz::new(numerator, denominator).unwrap()
    }

    #[test]
    fn a_million_thirds_of_a_second_are_exact() {
        let mut schedule = Schedule::new(hertz(3, 1), Some(1)).unwrap();
        schedule.take(3_000_000);
        assert_eq!(schedule.ready_at(1), Nanos::from_secs(1_000_000));
    }

    #[test]
    fn an_idle_time_is_worth_one_burst() {
        let mut schedule = Schedule::new(hertz(1_000, 1), Some(5)).unwrap();
        let now = Nanos::SECOND;
        schedule.forgo(now);
        assert_eq!(schedule.due_at(now, u64::MAX), 5);
        assert_eq!(schedule.forgone(), Nanos::from_millis(996));
        schedule.take(5);
        assert_eq!(schedule.due_at(now, u64::MAX), 0);
        assert_eq!(schedule.ready_at(1), now + Nanos::MILLISECOND);
    }

    #[test]
    fn the_ends_of_the_range_are_refused_or_saturate() {
        assert_eq!(Schedule::new(hertz(1, u64::MAX), Some(1)), Err(1));
        assert_eq!(Schedule::new(hertz(1, u64::MAX), None), Err(2));
        assert_eq!(Schedule::new(hertz(1, 1), Some(u64::MAX)), Err(u64::MAX));
        let mut fastest = Schedule::new(hertz(u64::MAX, 1), Some(1 << 40)).unwrap();
        fastest.forgo(Nanos::MAX);
        fastest.take(1 << 40);
        assert!(fastest.ready_at(1) > Nanos::ZERO);
        let mut booked = Schedule::new(hertz(u64::MAX, u64::MAX - 1), Some(9_200_000_000)).unwrap();
        (0..3).for_each(|_| booked.take(9_200_000_000));
        assert_eq!([1, 2, 1_000].map(|n| booked.ready_at(n)), [Nanos::MAX; 3]);
    }

    #[test]
    fn a_burst_that_nobody_set_grows_to_what_is_taken_at_once() {
        let mut schedule = Schedule::new(hertz(1_000, 1), None).unwrap();
        assert_eq!((schedule.covers(12), schedule.burst()), (true, 12));
        assert_eq!((schedule.covers(1_500), schedule.covers(3), schedule.burst()), (true, true, 1_500));
        // This many would take longer than 292 years.
        assert_eq!((schedule.covers(u64::MAX), schedule.burst()), (false, 1_500));
        let mut set = Schedule::new(hertz(1_000, 1), Some(12)).unwrap();
        assert_eq!((set.covers(13), set.burst()), (false, 12));
    }

    proptest! {
        /// However units are requested, in any span of time no more are given than the rate and one burst allow, and a
        /// caller who never waits longer than the burst covers gets exactly the rate.
        #[test]
        fn never_more_than_the_rate_and_a_burst(
            rate in (1_u64..5_000_000, 1_u64..1_000), burst in 1_u64..50,
            steps in prop::collection::vec((0_i64..3_000_000, 1_u64..60), 1..100),
        ) {
            let rate = hertz(rate.0, rate.1);
            let mut schedule = Schedule::new(rate, Some(burst)).unwrap();
            let mut now = Nanos::ZERO;
            for (pause, wanted) in steps {
                now += Nanos::new(pause);
                schedule.forgo(now);
                let n = schedule.due_at(now, wanted.min(burst));
                schedule.take(n);
                let allowed = u128::try_from(now.get()).unwrap() * u128::from(rate.numerator())
                    / (u128::from(rate.denominator()) * 1_000_000_000) + 1;
                prop_assert!(u128::from(schedule.taken()) <= allowed);
                if schedule.forgone() == Nanos::ZERO {
                    let exact = u128::from(schedule.taken()) * u128::from(rate.denominator()) * 1_000_000_000;
                    let due = u128::try_from(schedule.ready_at(1).get()).unwrap();
                    prop_assert_eq!(due, exact.div_ceil(u128::from(rate.numerator())));
                }
            }
        }
    }
}
