//! Conversion from a counter's ticks to the monotonic clock, within one window.

use oversleep_sys::clock::{self, counter, narrowest};
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

/// A counter that can be read.
pub(super) trait Counter: Copy {
    fn read(self) -> u64;
}

/// The processor's own counter. Its readings are comparable on one processor, which suffices here.
#[derive(Clone, Copy)]
pub(super) struct Hardware;

impl Counter for Hardware {
    #[inline]
    fn read(self) -> u64 {
        counter::read_unordered()
    }
}

/// The system's monotonic clock.
#[derive(Clone, Copy)]
pub(super) struct System;

impl Counter for System {
    #[inline]
    fn read(self) -> u64 {
        clock::monotonic().get().unsigned_abs()
    }
}

/// Reads counter and clock together; of nine tries, the tightest is kept.
pub(super) fn anchor(counter: impl Counter) -> Anchor {
    let once = || {
        let before = counter.read();
        let time = clock::monotonic();
        let after = counter.read();
        (after.wrapping_sub(before), Anchor { ticks: before + after.saturating_sub(before) / 2, time })
    };
    narrowest(9, once, |tried| tried.0).1
}

/// Number of distances, of which the floor is the median.
const READINGS: usize = 20_001;

/// Returns the scale, and the median distance of two readings in ticks.
pub(super) fn calibrate(counter: impl Counter) -> (CounterScale, u64) {
    let from = anchor(counter);
    let mut distances = vec![0; READINGS];
    let mut last = counter.read();
    for distance in &mut distances {
        let now = counter.read();
        *distance = now.saturating_sub(last);
        last = now;
    }
    let scale = CounterScale::new(from, anchor(counter));
    let middle = READINGS / 2;
    (scale, *distances.select_nth_unstable(middle).1)
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
