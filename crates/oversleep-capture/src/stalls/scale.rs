//! Conversion from a counter's ticks to the monotonic clock, within one window.

use oversleep_sys::units::Nanos;

/// Readings of a counter and the monotonic clock at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// Reading of the counter, in ticks.
    pub ticks: u64,
    /// Reading of the clock.
    pub time: Nanos,
}

/// A straight line through two anchors. Clocks are steered by far less than a window's length can show, so times
/// between the anchors are right to the width of an anchor, some tens of nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterScale {
    from: Anchor,
    until: Anchor,
}

impl CounterScale {
    /// Returns the scale through two anchors, the earlier one first.
    pub fn new(from: Anchor, until: Anchor) -> Self {
        Self { from, until }
    }

    /// Returns the time at which the counter had this reading.
    pub fn at(&self, ticks: u64) -> Nanos {
        let after = i128::from(ticks) - i128::from(self.from.ticks);
        self.from.time.saturating_add(self.nanos(after))
    }

    /// Returns the duration of a number of ticks.
    pub fn length(&self, ticks: u64) -> Nanos {
        self.nanos(i128::from(ticks))
    }

    /// Returns the number of ticks in a duration, at least 1.
    pub fn to_ticks(&self, time: Nanos) -> u64 {
        let (ticks, nanos) = self.rate();
        u64::try_from(i128::from(time.get()) * ticks / nanos).unwrap_or(0).max(1)
    }

    fn nanos(&self, ticks: i128) -> Nanos {
        let (per, nanos) = self.rate();
        // Rounded down, also below zero, so that a later reading never gets an earlier time.
        Nanos::new(i64::try_from((ticks * nanos).div_euclid(per)).unwrap_or(i64::MAX))
    }

    fn rate(&self) -> (i128, i128) {
        let ticks = i128::from(self.until.ticks.saturating_sub(self.from.ticks)).max(1);
        (ticks, i128::from((self.until.time - self.from.time).get()).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_and_beyond_its_anchors_it_is_a_straight_line() {
        // A counter of 2.5 GHz, over 2 s.
        let from = Anchor { ticks: 1_000_000, time: Nanos::from_secs(7) };
        let scale = CounterScale::new(from, Anchor { ticks: 5_001_000_000, time: Nanos::from_secs(9) });
        assert_eq!(scale.at(1_000_000), Nanos::from_secs(7));
        assert_eq!(scale.at(2_501_000_000), Nanos::from_secs(8));
        assert_eq!(scale.at(999_998), Nanos::from_secs(7) - Nanos::new(1));
        assert_eq!(scale.length(2_500), Nanos::MICROSECOND);
        assert_eq!(scale.to_ticks(Nanos::MICROSECOND), 2_500);
        assert_eq!(scale.to_ticks(Nanos::ZERO), 1);
    }

    #[test]
    fn anchors_that_coincide_divide_by_nothing() {
        let anchor = Anchor { ticks: 5, time: Nanos::new(9) };
        assert_eq!(CounterScale::new(anchor, anchor).at(7), Nanos::new(11));
    }
}
