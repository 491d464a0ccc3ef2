//! How much times are rounded so that a frame keeps to its size.
//!
//! The rounding is dithered: before a value is rounded down, a number that both sides know is added, and subtracted
//! afterwards. So the error is as often up as down, and the values are no multiples of anything, which analysis would take
//! for a coarse clock.

/// How coarse the times of a frame are, from 0, exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Level(u8);

impl Level {
    /// Times as they were read.
    pub(super) const EXACT: Self = Self(0);
    /// The coarsest level: starts within 512 ns, lateness within 32 ns.
    pub(super) const COARSEST: Self = Self(16);
    /// Up to this level only starts are rounded.
    const STARTS: u8 = 10;

    /// Returns the level with this number, as a frame states it.
    pub(super) fn of_number(number: u8) -> Option<Self> {
        (number <= Self::COARSEST.0).then_some(Self(number))
    }

    pub(super) fn number(self) -> u8 {
        self.0
    }

    /// Returns the next finer level.
    pub(super) fn finer(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Returns the next coarser level.
    pub(super) fn coarser(self) -> Option<Self> {
        Self::of_number(self.0 + 1)
    }

    /// Returns the rounding of starts; `count` differs from value to value.
    pub(super) fn of_start(self, count: u64) -> Rounding {
        Rounding::new(u32::from(self.0.min(Self::STARTS)), 2 * count)
    }

    /// Returns the rounding of latenesses.
    pub(super) fn of_lateness(self, count: u64) -> Rounding {
        Rounding::new(u32::from(self.0.saturating_sub(Self::STARTS)), 2 * count + 1)
    }
}

/// Rounds values to 2^`bits`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rounding {
    pub(super) bits: u32,
    dither: i64,
}

impl Rounding {
    fn new(bits: u32, count: u64) -> Self {
        // The multiples of the golden ratio, modulo 1, are spread evenly (Knuth, The Art of Computer Programming, 6.4).
        let spread = count.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let dither = if bits == 0 { 0 } else { (spread >> (u64::BITS - bits)).cast_signed() };
        Self { bits, dither }
    }

    /// Returns the largest difference that rounding makes.
    pub(super) fn most(self) -> i64 {
        (1 << self.bits) >> 1
    }

    /// Returns the value without its lowest bits.
    pub(super) fn shorten(self, value: i64) -> i64 {
        value.wrapping_add(self.dither) >> self.bits
    }

    /// Returns the value in the middle of those that are shortened to this.
    pub(super) fn restore(self, short: i64) -> i64 {
        short.wrapping_shl(self.bits).wrapping_sub(self.dither).wrapping_add(self.most())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_errs_both_ways_and_no_further_than_it_says() {
        for level in 0..=Level::COARSEST.0 {
            let level = Level::of_number(level).unwrap();
            for of in [Level::of_start, Level::of_lateness] {
                let mut sum = 0;
                for count in 0..4_096 {
                    let (rounding, value) = (of(level, count), 77_777);
                    let error = rounding.restore(rounding.shorten(value)) - value;
                    assert!(error.abs() <= rounding.most(), "{level:?}: {error}");
                    sum += error;
                }
                let mean = sum / 4_096;
                assert!(mean.abs() <= 1, "{level:?} moves times by {mean} ns");
            }
        }
        assert_eq!(Level::COARSEST.of_start(1).most(), 512);
        assert_eq!(Level::COARSEST.of_lateness(1).most(), 32);
        assert_eq!((Level::COARSEST.coarser(), Level::EXACT.finer()), (None, Level::EXACT));
    }
}
