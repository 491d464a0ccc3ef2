//! The time between ticks, exact however many there are.

use crate::{Hertz, Nanos};
use std::fmt;

/// A period as an exact fraction of nanoseconds: 1/60 s is 50 000 000/3 ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    ns: u64,
    per: u64,
}

/// Why a period cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeriodError {
    /// Zero or negative.
    NotPositive,
    /// Below one nanosecond.
    TooShort,
    /// Beyond 292 years.
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
    /// One tick every `duration`.
    pub fn every(duration: impl Into<Nanos>) -> Result<Self, PeriodError> {
        let duration = duration.into();
        let ns = u64::try_from(duration.get()).map_err(|_| PeriodError::NotPositive)?;
        match duration {
            Nanos::ZERO => Err(PeriodError::NotPositive),
            // What a conversion saturates at is not what was asked.
            Nanos::MAX => Err(PeriodError::TooLong),
            _ => Ok(Self { ns, per: 1 }),
        }
    }

    /// So many ticks a second: `Hertz::new(60_000, 1_001)` for every 1001/60000 s.
    pub fn of(rate: Hertz) -> Result<Self, PeriodError> {
        let ns = u128::from(rate.denominator()) * 1_000_000_000;
        let per = u128::from(rate.numerator());
        let divisor = gcd(ns, per);
        let (ns, per) = (ns / divisor, per / divisor);
        if ns < per {
            return Err(PeriodError::TooShort);
        }
        if ns / per > u128::from(i64::MAX.unsigned_abs()) {
            return Err(PeriodError::TooLong);
        }
        let fits = |n| u64::try_from(n).map_err(|_| PeriodError::TooLong);
        Ok(Self { ns: fits(ns)?, per: fits(per)? })
    }

    /// How long after tick 0 tick `n` is: n × period, rounded **up** to the nanosecond, so never early and never
    /// off by a whole one. `None` beyond 292 years.
    pub fn offset(self, n: u64) -> Option<Nanos> {
        // 64 by 64 bits fit into 128.
        let ns = (u128::from(n) * u128::from(self.ns)).div_ceil(u128::from(self.per));
        i64::try_from(ns).ok().map(Nanos::new)
    }

    /// The last tick at or before `offset` from tick 0. Negative offsets have had none and answer 0.
    pub fn index_at(self, offset: Nanos) -> u64 {
        let offset = u128::try_from(offset.get()).unwrap_or(0);
        u64::try_from(offset * u128::from(self.per) / u128::from(self.ns)).unwrap_or(u64::MAX)
    }

    /// The period to the nearest nanosecond above.
    pub fn nanos(self) -> Nanos {
        self.offset(1).unwrap_or(Nanos::MAX)
    }

    /// The period in nanoseconds, as near as floating point has it.
    pub(super) fn as_f64(self) -> f64 {
        self.ns as f64 / self.per as f64
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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
            // Within a nanosecond above the exact value.
            let exact = u128::from(n) * u128::from(den) * 1_000_000_000;
            let at = u128::try_from(at.get()).unwrap() * u128::from(num);
            prop_assert!(at >= exact && at < exact + u128::from(num));
        }
    }
}
