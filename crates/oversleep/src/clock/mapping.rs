//! Straight lines from counter to time: exact, in 128 bits, each beginning where the previous one ends.

/// Slopes are ns per count times 2⁴⁰. A 10 kHz counter has 100 000 ns per count, which needs 57 bits; a 100 GHz
/// one has 0.01 ns, stored in 33 bits: to 10⁻¹⁰ of it.
pub(super) const FRACTION_BITS: u32 = 40;

/// One line: valid from `start`, where it gives `value`, up to `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Line {
    /// Counter at the beginning of the line.
    pub(super) start: u64,
    /// Time there, in ns.
    pub(super) value: u64,
    /// Slope: ns per count, times 2⁴⁰.
    pub(super) slope: u64,
}

impl Line {
    /// Returns the time at `counter`, which must not be before the start.
    ///
    /// Cannot overflow: 64 by 64 bits are multiplied into 128. A result beyond 584 years is truncated to 64 bits;
    /// `end`, seconds away, keeps results far below that.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // see above
    pub(super) fn at(self, counter: u64) -> u64 {
        let counts = counter.wrapping_sub(self.start);
        self.value.wrapping_add(((u128::from(counts) * u128::from(self.slope)) >> FRACTION_BITS) as u64)
    }
}

/// Returns the same for a counter at most 2⁴⁰ counts after the start, 1.4 ns faster: the product needs no shift across
/// two words.
#[inline]
#[allow(clippy::cast_possible_truncation)] // the upper word of two
pub(super) fn short(start: u64, value: u64, slope: u64, counter: u64) -> u64 {
    let counts = counter.wrapping_sub(start) << (u64::BITS - FRACTION_BITS);
    value.wrapping_add(((u128::from(counts) * u128::from(slope)) >> u64::BITS) as u64)
}

/// Returns the slope of `ns` nanoseconds over `counts` counts, limited to 64 bits; `None` if either is zero.
pub(super) fn slope(ns: u64, counts: u64) -> Option<u64> {
    if ns == 0 || counts == 0 {
        return None;
    }
    u64::try_from((u128::from(ns) << FRACTION_BITS) / u128::from(counts)).ok().filter(|slope| *slope > 0)
}

/// Returns the number of counts in `ns` nanoseconds at this slope, saturating.
pub(super) fn counts(ns: u64, slope: u64) -> u64 {
    u64::try_from((u128::from(ns) << FRACTION_BITS) / u128::from(slope.max(1))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_year_at_three_gigahertz_is_exact_to_the_slope() {
        let line = Line { start: 5, value: 7, slope: slope(1_000_000_000, 3_000_000_000).unwrap() };
        let year = 3_000_000_000_u64 * 31_557_600;
        let ns = line.at(5 + year) - 7;
        // One part in 2⁴⁰ of a third is lost: below 3 ps per second.
        assert!((31_557_599_999_900_000..=31_557_600_000_000_000).contains(&ns), "{ns}");
    }

    #[test]
    fn no_rate_is_no_slope() {
        assert_eq!(slope(0, 1), None);
        assert_eq!(slope(1, 0), None);
        assert_eq!(slope(1, 1 << 41), None);
        assert_eq!(slope(u64::MAX, 1), None);
    }

    proptest! {
        #[test]
        fn lines_never_run_backwards(start: u64, value in 0..u64::MAX / 4, per in 1_u64..1 << 50, a in 0_u64..1 << 40, more in 0_u64..1 << 40) {
            prop_assume!((u128::from(a + more) * u128::from(per)) >> FRACTION_BITS < u128::from(u64::MAX / 2));
            let line = Line { start, value, slope: per };
            prop_assert!(line.at(start.wrapping_add(a)) <= line.at(start.wrapping_add(a + more)));
            prop_assert_eq!(line.at(start), value);
            let counter = start.wrapping_add(a);
            prop_assert_eq!(short(start, value, per, counter), line.at(counter));
        }
    }
}
