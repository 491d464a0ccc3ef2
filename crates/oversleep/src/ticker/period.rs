//! The time between ticks, exact for any number of ticks.

use crate::{Hertz, Nanos};
use oversleep_sys::units::gcd;
use std::fmt;

/// A period as an exact fraction of a second, in lowest terms: 1/60 s, 1001/60000 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    above: u64,
    below: u64,
}

/// Nanoseconds per second.
const NANOS: u128 = 1_000_000_000;

/// Why a period is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PeriodError {
    /// The duration is zero or negative.
    NotPositive,
    /// The period is below one nanosecond.
    TooShort,
    /// The period is above 292 years.
    TooLong,
}

impl fmt::Display for PeriodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotPositive => "a period must be longer than zero",
            Self::TooShort => "a period below one nanosecond cannot be kept",
            Self::TooLong => "a period beyond 292 years cannot be kept",
        })
    }
}

impl std::error::Error for PeriodError {}

impl Period {
    /// Returns the period of one tick every `duration`.
    pub fn every(duration: impl Into<Nanos>) -> Result<Self, PeriodError> {
        let duration = duration.into();
        let ns = u64::try_from(duration.get()).map_err(|_| PeriodError::NotPositive)?;
        match duration {
            Nanos::ZERO => Err(PeriodError::NotPositive),
            // A value at which a conversion saturated is not what was requested.
            Nanos::MAX => Err(PeriodError::TooLong),
            _ => Ok(Self::reduced(ns, 1_000_000_000)),
        }
    }

    /// Returns the period of a rate in ticks per second: `Hertz::new(60_000, 1_001)` for every 1001/60000 s.
    pub fn of(rate: Hertz) -> Result<Self, PeriodError> {
        let period = Self::reduced(rate.denominator(), rate.numerator());
        let ns = u128::from(period.above) * NANOS;
        if ns < u128::from(period.below) {
            return Err(PeriodError::TooShort);
        }
        if ns / u128::from(period.below) > u128::from(i64::MAX.unsigned_abs()) {
            return Err(PeriodError::TooLong);
        }
        Ok(period)
    }

    fn reduced(above: u64, below: u64) -> Self {
        #[allow(clippy::cast_possible_truncation)] // it divides a number of 64 bits
        let divisor = gcd(above.into(), below.into()) as u64;
        Self { above: above / divisor, below: below / divisor }
    }

    /// Returns the time from tick 0 to tick `n`: n × period, rounded **up** to the nanosecond, so never early, and late
    /// by less than 1 ns. `None` beyond 292 years.
    pub fn offset(self, n: u64) -> Option<Nanos> {
        // Whole seconds and the remainder separately: 64 by 64 bits fit into 128, and so do 64 by 30.
        let below = u128::from(self.below);
        let seconds = u128::from(n) * u128::from(self.above);
        let rest = (seconds % below * NANOS).div_ceil(below);
        let ns = (seconds / below).checked_mul(NANOS)?.checked_add(rest)?;
        i64::try_from(ns).ok().map(Nanos::new)
    }

    /// Returns the last tick at or before `offset` from tick 0; 0 for negative offsets, before any tick.
    pub fn index_at(self, offset: Nanos) -> u64 {
        let offset = u128::try_from(offset.get()).unwrap_or(0);
        u64::try_from(offset * u128::from(self.below) / (u128::from(self.above) * NANOS)).unwrap_or(u64::MAX)
    }

    /// Returns the period, rounded up to the nanosecond.
    pub fn nanos(self) -> Nanos {
        self.offset(1).unwrap_or(Nanos::MAX)
    }

    /// Returns the period in ns, as a float.
    pub(super) fn as_f64(self) -> f64 {
        1e9 * self.above as f64 / self.below as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_sixtieth_of_a_second_never_drifts() {
        let period = Period::of(Hertz::new(60, 1).unwrap()).unwrap();
        assert_eq!(period.offset(1), Some(Nanos::new(16_666_667)));
        assert_eq!(period.offset(3), Some(Nanos::new(50_000_000)));
        let year = 60 * 31_557_600_u64;
        assert_eq!(period.offset(year), Some(Nanos::from_secs(31_557_600)));
        let video = Period::of(Hertz::new(60_000, 1_001).unwrap()).unwrap();
        assert_eq!(video.offset(60_000), Some(Nanos::from_secs(1_001)));
    }

    #[test]
    fn every_rate_within_range_is_kept() {
        // Any fraction is possible: those made from a float's sixteen digits, and one per second in 64 bits.
        for (numerator, denominator) in
            [(5_994_005_994_005_994, 100_000_000_000_000), (u64::MAX, u64::MAX - 1), (20_000_000_001, 20_000_000_003)]
        {
            let period = Period::of(Hertz::new(numerator, denominator).unwrap()).unwrap();
            let exact = (u128::from(denominator) * NANOS * 1_000_000).div_ceil(u128::from(numerator));
            assert_eq!(period.offset(1_000_000).unwrap().get().unsigned_abs(), u64::try_from(exact).unwrap());
            assert_eq!(period.index_at(period.offset(1_000_000).unwrap()), 1_000_000);
        }
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        assert_eq!(Period::every(Nanos::ZERO), Err(PeriodError::NotPositive));
        assert_eq!(Period::every(Nanos::new(-1)), Err(PeriodError::NotPositive));
        assert_eq!(Period::every(std::time::Duration::MAX), Err(PeriodError::TooLong));
        assert_eq!(Period::of(Hertz::new(2_000_000_000, 1).unwrap()), Err(PeriodError::TooShort));
        assert_eq!(Period::of(Hertz::new(1, u64::MAX).unwrap()), Err(PeriodError::TooLong));
        assert_eq!(Period::every(Nanos::SECOND).unwrap().offset(u64::MAX), None);
    }

    proptest! {
        #[test]
        fn index_and_offset_are_inverse(num in 1_u64..1_000_000_000, den in 1_u64..100_000, n in 0_u64..1_000_000_000) {
            let Ok(period) = Period::of(Hertz::new(num, den).unwrap()) else { return Ok(()) };
            let Some(at) = period.offset(n) else { return Ok(()) };
            prop_assert_eq!(period.index_at(at), n);
            if n > 0 {
                prop_assert_eq!(period.index_at(at - Nanos::new(1)), n - 1);
            }
            // At most a nanosecond above the exact value.
            let exact = u128::from(n) * u128::from(den) * 1_000_000_000;
            let at = u128::try_from(at.get()).unwrap() * u128::from(num);
            prop_assert!(at >= exact && at < exact + u128::from(num));
        }
    }
}
