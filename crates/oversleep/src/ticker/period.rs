//! The time between ticks, exact for any number of ticks.

use crate::option_error::or_panic;
use crate::{Hertz, Nanos, ParseNanosError, RateError};
use oversleep_sys::units::gcd;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A period as an exact fraction of a second, in lowest terms: 1/60 s, 1001/60000 s. From one nanosecond to 292 years.
///
/// ```
/// use oversleep::{Hertz, Period};
/// use std::time::Duration;
///
/// const FRAME: Period = Period::hz(60);
/// assert_eq!(Period::every(Duration::from_micros(250)), Period::hz(4_000));
/// assert_eq!("16.7ms".parse(), Ok(Period::every(Duration::from_micros(16_700))));
/// assert_eq!("60 Hz".parse(), Ok(FRAME));
/// assert_eq!(FRAME.to_string(), "60 Hz");
/// assert_eq!(Period::try_from("60000/1001".parse::<Hertz>()?)?.offset(60_000), "1001s".parse().ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    above: u64,
    below: u64,
}

/// Nanoseconds per second.
const NANOS: u128 = 1_000_000_000;

/// Why a period is not possible.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PeriodError {
    /// The duration is zero or negative.
    NotPositive,
    /// The period is below one nanosecond.
    TooShort,
    /// The period is above 292 years.
    TooLong,
    /// The text ends in `Hz` and is not a rate.
    NotARate(RateError),
    /// The text does not end in `Hz` and is not a duration.
    NotADuration(ParseNanosError),
}

impl fmt::Display for PeriodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPositive => f.write_str("a period must be longer than zero"),
            Self::TooShort => f.write_str("a period below one nanosecond cannot be kept"),
            Self::TooLong => f.write_str("a period beyond 292 years cannot be kept"),
            Self::NotARate(error) => error.fmt(f),
            Self::NotADuration(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PeriodError {}

impl Period {
    /// Returns the period of this many ticks a second.
    ///
    /// # Panics
    /// If `per_second` is zero, or above 10⁹: a period is at least a nanosecond.
    pub const fn hz(per_second: u32) -> Self {
        assert!(per_second > 0, "a rate must be above zero");
        assert!(per_second <= 1_000_000_000, "a period below one nanosecond cannot be kept");
        Self { above: 1, below: per_second as u64 }
    }

    /// Returns the period of one tick every `duration`, as `Period::from(duration)` does.
    ///
    /// # Panics
    /// If the duration is zero, negative, or beyond 292 years. [`try_every`](Self::try_every) returns an error instead.
    #[track_caller]
    pub fn every(duration: impl Into<Nanos>) -> Self {
        or_panic(Self::try_every(duration))
    }

    /// Returns the period of one tick every `duration`; an error if it is zero, negative, or beyond 292 years.
    pub fn try_every(duration: impl Into<Nanos>) -> Result<Self, PeriodError> {
        let duration = duration.into();
        let ns = u64::try_from(duration.get()).map_err(|_| PeriodError::NotPositive)?;
        match duration {
            Nanos::ZERO => Err(PeriodError::NotPositive),
            // A value at which a conversion saturated is not what was requested.
            Nanos::MAX => Err(PeriodError::TooLong),
            _ => Ok(Self::reduced(ns, 1_000_000_000)),
        }
    }

    fn reduced(above: u64, below: u64) -> Self {
        #[allow(clippy::cast_possible_truncation)] // it divides a number of 64 bits
        let divisor = gcd(above.into(), below.into()) as u64;
        Self { above: above / divisor, below: below / divisor }
    }

    /// Returns the time from tick 0 to tick `n`: n × period, rounded **up** to the nanosecond, so never early, and late
    /// by less than 1 ns. `None` beyond 292 years.
    pub fn offset(self, n: u64) -> Option<Nanos> {
        self.due(Nanos::ZERO, n)
    }

    /// Returns the last tick at or before `offset` from tick 0; 0 for negative offsets, before any tick.
    pub fn index_at(self, offset: Nanos) -> u64 {
        self.last_due(Nanos::ZERO, offset)
    }

    /// Returns when tick `n` is due on a clock that reads `start` at tick 0; `None` beyond the clock's range.
    pub(super) fn due(self, start: Nanos, n: u64) -> Option<Nanos> {
        // Whole seconds and the rest separately: 64 by 64 bits fit into 128, and so do 64 by 30.
        let below = u128::from(self.below);
        let seconds = u128::from(n) * u128::from(self.above);
        let rest = (seconds % below * NANOS).div_ceil(below);
        let ns = (seconds / below).checked_mul(NANOS)?.checked_add(rest)?;
        let due = i128::from(start.get()).checked_add(i128::try_from(ns).ok()?)?;
        i64::try_from(due).ok().map(Nanos::new)
    }

    /// Returns the last tick at or before `at` on such a clock; 0 before any.
    pub(super) fn last_due(self, start: Nanos, at: Nanos) -> u64 {
        // The distance of two times has 64 bits.
        let since = u128::try_from(i128::from(at.get()) - i128::from(start.get())).unwrap_or(0);
        u64::try_from(since * u128::from(self.below) / (u128::from(self.above) * NANOS)).unwrap_or(u64::MAX)
    }

    /// Returns the exact rate: ticks per second.
    ///
    /// ```
    /// use oversleep::{Hertz, Period};
    ///
    /// assert_eq!(Some(Period::hz(60).rate()), Hertz::new(60, 1));
    /// ```
    pub const fn rate(self) -> Hertz {
        match Hertz::new(self.below, self.above) {
            Some(rate) => rate,
            None => unreachable!(),
        }
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

impl TryFrom<Hertz> for Period {
    type Error = PeriodError;

    /// Converts a rate in ticks per second, exactly: `60000/1001` to 1001/60000 s.
    fn try_from(rate: Hertz) -> Result<Self, PeriodError> {
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
}

impl From<Duration> for Period {
    /// Converts to the period of one tick every `duration`.
    ///
    /// # Panics
    /// If the duration is zero or beyond 292 years. [`Period::try_every`] returns an error instead.
    #[track_caller]
    fn from(duration: Duration) -> Self {
        Self::every(duration)
    }
}

impl From<Nanos> for Period {
    /// Converts to the period of one tick every `duration`.
    ///
    /// # Panics
    /// If the duration is zero or negative, or [`Nanos::MAX`]. [`Period::try_every`] returns an error instead.
    #[track_caller]
    fn from(duration: Nanos) -> Self {
        Self::every(duration)
    }
}

impl FromStr for Period {
    type Err = PeriodError;

    /// Parses a rate with the unit `Hz` (`60Hz`, `59.94 Hz`, `60000/1001 Hz`, `48kHz`), or a duration (`16.7ms`, `2s`).
    fn from_str(text: &str) -> Result<Self, PeriodError> {
        if text.trim_end().to_ascii_lowercase().ends_with("hz") {
            return text.parse::<Hertz>().map_err(PeriodError::NotARate)?.try_into();
        }
        Self::try_every(text.parse::<Nanos>().map_err(PeriodError::NotADuration)?)
    }
}

impl fmt::Display for Period {
    /// Writes the exact period: as a duration if it is a whole number of nanoseconds (`16.7 ms`), otherwise as a rate
    /// (`60 Hz`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if u128::from(self.above) * NANOS % u128::from(self.below) == 0 {
            write!(f, "{:#}", self.nanos())
        } else {
            self.rate().fmt(f)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_sixtieth_of_a_second_never_drifts() {
        let period = Period::hz(60);
        assert_eq!(period.offset(1), Some(Nanos::new(16_666_667)));
        assert_eq!(period.offset(3), Some(Nanos::new(50_000_000)));
        let year = 60 * 31_557_600_u64;
        assert_eq!(period.offset(year), Some(Nanos::from_secs(31_557_600)));
        let video = Period::try_from(Hertz::new(60_000, 1_001).unwrap()).unwrap();
        assert_eq!(video.offset(60_000), Some(Nanos::from_secs(1_001)));
    }

    #[test]
    fn every_rate_within_range_is_kept() {
        // Any fraction is possible: those made from a float's sixteen digits, and one per second in 64 bits.
        for (numerator, denominator) in
            [(5_994_005_994_005_994, 100_000_000_000_000), (u64::MAX, u64::MAX - 1), (20_000_000_001, 20_000_000_003)]
        {
            let period = Period::try_from(Hertz::new(numerator, denominator).unwrap()).unwrap();
            let exact = (u128::from(denominator) * NANOS * 1_000_000).div_ceil(u128::from(numerator));
            assert_eq!(period.offset(1_000_000).unwrap().get().unsigned_abs(), u64::try_from(exact).unwrap());
            assert_eq!(period.index_at(period.offset(1_000_000).unwrap()), 1_000_000);
        }
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        assert_eq!(Period::try_every(Nanos::ZERO), Err(PeriodError::NotPositive));
        assert_eq!(Period::try_every(Nanos::new(-1)), Err(PeriodError::NotPositive));
        assert_eq!(Period::try_every(std::time::Duration::MAX), Err(PeriodError::TooLong));
        assert_eq!(Period::try_from(Hertz::new(2_000_000_000, 1).unwrap()), Err(PeriodError::TooShort));
        assert_eq!(Period::try_from(Hertz::new(1, u64::MAX).unwrap()), Err(PeriodError::TooLong));
        assert_eq!(Period::every(Nanos::SECOND).offset(u64::MAX), None);
        let longest = Period::try_from(Hertz::new(1, 9_223_372_036).unwrap()).unwrap();
        assert_eq!((longest.due(Nanos::MAX, u64::MAX), longest.due(Nanos::MIN, 3)), (None, None));
    }

    #[test]
    fn a_period_is_written_as_people_write_it() {
        let video = Period::try_from(Hertz::new(60_000, 1_001).unwrap()).unwrap();
        for (period, text) in [
            (Period::hz(60), "60 Hz"),
            (Period::hz(1_000), "1 ms"),
            (Period::hz(48_000), "48000 Hz"),
            (Period::every(Duration::from_micros(16_700)), "16.7 ms"),
            (video, "60000/1001 Hz"),
        ] {
            assert_eq!(period.to_string(), text);
        }
        assert_eq!("60".parse::<Period>().unwrap_err().to_string(), "'60' has no unit; write 60ns, 60us, 60ms or 60s");
        assert!(matches!("fastHz".parse::<Period>(), Err(PeriodError::NotARate(_))));
        assert_eq!("2GHz".parse::<Period>(), Err(PeriodError::TooShort));
        assert_eq!("0ms".parse::<Period>(), Err(PeriodError::NotPositive));
    }

    #[test]
    fn what_a_short_name_cannot_keep_is_a_panic_that_says_so() {
        let panic_text =
            |make: fn() -> Period| *std::panic::catch_unwind(make).unwrap_err().downcast::<&str>().unwrap_or_default();
        assert_eq!(panic_text(|| Period::hz(0)), "a rate must be above zero");
        assert_eq!(panic_text(|| Period::hz(u32::MAX)), "a period below one nanosecond cannot be kept");
        let panic_text = |make: fn() -> Period| {
            *std::panic::catch_unwind(make).unwrap_err().downcast::<String>().unwrap_or_default()
        };
        assert_eq!(panic_text(|| Period::from(Duration::ZERO)), "a period must be longer than zero");
        assert_eq!(panic_text(|| Period::from(Nanos::new(-1))), "a period must be longer than zero");
        assert_eq!(panic_text(|| Period::every(Duration::MAX)), "a period beyond 292 years cannot be kept");
    }

    proptest! {
        /// What is written is read back as the same period, up to the slowest rate that is read, one in 31 years.
        #[test]
        fn a_period_is_read_as_it_is_written(num in 1_u64.., den in 1_u64.., small in 1_u64..100_000, ns in 1..i64::MAX) {
            let periods = [(num, den), (num, small), (small, den), (small, 1_001)].into_iter();
            let periods = periods.filter_map(|(num, den)| Period::try_from(Hertz::new(num, den).unwrap()).ok());
            for period in periods.filter(|period| period.nanos() < Nanos::from_secs(1_000_000_000)) {
                prop_assert_eq!(period.to_string().parse(), Ok(period));
            }
            let whole = Period::every(Nanos::new(ns));
            prop_assert_eq!(whole.to_string().parse(), Ok(whole));
        }

        #[test]
        fn index_and_offset_are_inverse(num in 1_u64..1_000_000_000, den in 1_u64..100_000, n in 0_u64..1_000_000_000) {
            let Ok(period) = Period::try_from(Hertz::new(num, den).unwrap()) else { return Ok(()) };
            let Some(at) = period.offset(n) else { return Ok(()) };
            prop_assert_eq!(period.index_at(at), n);
            if n > 0 {
                prop_assert_eq!(period.index_at(at - Nanos::new(1)), n - 1);
            }
            // The same from the clock's beginning, with times on both sides of its middle.
            let from_the_beginning = period.due(Nanos::MIN, n).unwrap();
            prop_assert_eq!(from_the_beginning.get().abs_diff(i64::MIN), at.get().unsigned_abs());
            prop_assert_eq!(period.last_due(Nanos::MIN, from_the_beginning), n);
            // At most a nanosecond above the exact value.
            let exact = u128::from(n) * u128::from(den) * 1_000_000_000;
            let nanos = u128::try_from(at.get()).unwrap() * u128::from(num);
            prop_assert!(nanos >= exact && nanos < exact + u128::from(num));
        }
    }
}
