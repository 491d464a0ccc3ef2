//! Signed nanoseconds: a point on a clock, or the distance between two points.

use super::Hertz;
use std::cmp::Ordering;
use std::fmt;
use std::num::TryFromIntError;
use std::time::Duration;

/// A signed number of nanoseconds; ±292 years.
///
/// The operators saturate: what would leave the range is its end. That is mostly right, because a deadline beyond the
/// range is never reached, rather than long past. The names of the functions say what they do then.
///
/// It can be compared with [`Duration`].
///
/// Sleeps are signed throughout: a negative oversleep is a sleep that woke early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Nanos(i64);

impl Nanos {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// Longest time that this type can hold, 292 years.
    pub const MAX: Self = Self(i64::MAX);
    /// Most negative time that this type can hold.
    pub const MIN: Self = Self(i64::MIN);
    /// One microsecond.
    pub const MICROSECOND: Self = Self(1_000);
    /// One millisecond.
    pub const MILLISECOND: Self = Self(1_000_000);
    /// One second.
    pub const SECOND: Self = Self(1_000_000_000);

    /// Returns this number of nanoseconds.
    pub const fn new(ns: i64) -> Self {
        Self(ns)
    }

    /// Returns whole microseconds, saturating.
    pub const fn from_micros(us: i64) -> Self {
        Self(us.saturating_mul(1_000))
    }

    /// Returns whole milliseconds, saturating.
    pub const fn from_millis(ms: i64) -> Self {
        Self(ms.saturating_mul(1_000_000))
    }

    /// Returns whole seconds, saturating.
    pub const fn from_secs(s: i64) -> Self {
        Self(s.saturating_mul(1_000_000_000))
    }

    /// Returns the time that `ticks` of a counter running at `rate` take, rounded down (towards negative infinity).
    ///
    /// Exact. `None` where the result would not fit.
    pub fn from_ticks(ticks: i64, rate: Hertz) -> Option<Self> {
        // Whole seconds and the rest separately: 63 by 64 bits fit into 128, and so do 64 by 30.
        let (seconds, each) = (i128::from(ticks) * i128::from(rate.denominator()), i128::from(rate.numerator()));
        let rest = seconds.rem_euclid(each) * 1_000_000_000 / each;
        let ns = seconds.div_euclid(each).checked_mul(1_000_000_000)?.checked_add(rest)?;
        i64::try_from(ns).ok().map(Self)
    }

    /// Returns the number of nanoseconds.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Returns the number of nanoseconds as a float; exact below 2⁵³ ns (104 days).
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }

    /// Returns the number of seconds as a float.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Returns the nearest whole number of nanoseconds, saturating; zero for NaN.
    #[allow(clippy::cast_possible_truncation)] // saturating is what `as` does and what is wanted
    pub fn from_f64(ns: f64) -> Self {
        Self(ns.round() as i64)
    }

    /// Converts to the standard library's duration, exactly; `None` if negative.
    pub fn to_duration(self) -> Option<Duration> {
        u64::try_from(self.0).ok().map(Duration::from_nanos)
    }

    /// Returns the absolute value, at most [`Nanos::MAX`].
    pub const fn saturating_abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// Returns `self + other`, saturating.
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Returns `self − other`, saturating.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Returns `self + other`, or `None` on overflow.
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(ns) => Some(Self(ns)),
            None => None,
        }
    }

    /// Returns `self − other`, or `None` on overflow.
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(ns) => Some(Self(ns)),
            None => None,
        }
    }

    /// Returns `self × count`, or `None` on overflow.
    pub const fn checked_mul(self, count: i64) -> Option<Self> {
        match self.0.checked_mul(count) {
            Some(ns) => Some(Self(ns)),
            None => None,
        }
    }

    /// Returns `−self`, saturating.
    pub const fn saturating_neg(self) -> Self {
        Self(self.0.saturating_neg())
    }

    /// Returns `self × count`, saturating.
    pub const fn saturating_mul(self, count: i64) -> Self {
        Self(self.0.saturating_mul(count))
    }

    /// Returns the next multiple of `unit`, which is how a call that counts in larger units must round so as not to be
    /// early; saturating. A `unit` of zero or below rounds nothing.
    pub const fn ceil_to(self, unit: Self) -> Self {
        let rest = if unit.0 > 0 { self.0.rem_euclid(unit.0) } else { 0 };
        if rest == 0 { self } else { Self(self.0.saturating_add(unit.0 - rest)) }
    }

    /// Returns whole seconds, rounded down, and the remaining nanoseconds (0 to 999 999 999): a `timespec`.
    pub const fn split(self) -> (i64, i64) {
        (self.0.div_euclid(1_000_000_000), self.0.rem_euclid(1_000_000_000))
    }
}

impl From<Duration> for Nanos {
    /// Exact up to 292 years, and [`Nanos::MAX`] beyond.
    fn from(duration: Duration) -> Self {
        Self(i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX))
    }
}

impl TryFrom<Nanos> for Duration {
    type Error = TryFromIntError;

    /// Exact; an error for a negative time.
    fn try_from(nanos: Nanos) -> Result<Self, TryFromIntError> {
        u64::try_from(nanos.0).map(Self::from_nanos)
    }
}

impl PartialEq<Duration> for Nanos {
    fn eq(&self, duration: &Duration) -> bool {
        self.partial_cmp(duration) == Some(Ordering::Equal)
    }
}

impl PartialOrd<Duration> for Nanos {
    /// Exact, also beyond 292 years.
    fn partial_cmp(&self, duration: &Duration) -> Option<Ordering> {
        // A negative time is shorter than any duration.
        Some(u64::try_from(self.0).map_or(Ordering::Less, |ns| Duration::from_nanos(ns).cmp(duration)))
    }
}

impl PartialEq<Nanos> for Duration {
    fn eq(&self, nanos: &Nanos) -> bool {
        nanos == self
    }
}

impl PartialOrd<Nanos> for Duration {
    fn partial_cmp(&self, nanos: &Nanos) -> Option<Ordering> {
        nanos.partial_cmp(self).map(Ordering::reverse)
    }
}

impl fmt::Display for Nanos {
    /// Writes three significant digits and a suitable unit (`57.8 µs`); `{:#}` writes all digits
    /// in the same unit without rounding (`57.812 µs`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.unsigned_abs();
        // Without a fraction, 999.5 of a unit and more would round to a thousand of it.
        let rounds_up = |unit: u64| !f.alternate() && magnitude >= unit - unit / 2_000;
        let (unit, digits, name) = match magnitude {
            0..1_000 => (1, 0, "ns"),
            1_000..1_000_000 if !rounds_up(1_000_000) => (1_000, 3, "µs"),
            1_000..1_000_000_000 if !rounds_up(1_000_000_000) => (1_000_000, 6, "ms"),
            _ => (1_000_000_000, 9, "s"),
        };
        if f.alternate() || magnitude < 1_000 {
            let sign = if self.0 < 0 { "-" } else { "" };
            let fraction = format!(".{:0digits$}", magnitude % unit);
            let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
            return write!(f, "{sign}{}{fraction} {name}", magnitude / unit);
        }
        let value = self.0 as f64 / unit as f64;
        let decimals = match value.abs() {
            v if v < 9.995 => 2,
            v if v < 99.95 => 1,
            _ => 0,
        };
        write!(f, "{value:.decimals$} {name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_says_what_it_does_at_the_ends_of_the_range() {
        let (most, least, one) = (Nanos::MAX, Nanos::MIN, Nanos::new(1));
        assert_eq!([most.saturating_add(one), least.saturating_sub(one), least.saturating_neg()], [most, least, most]);
        assert_eq!([most.saturating_mul(2), most.saturating_mul(-2), least.saturating_abs()], [most, least, most]);
        assert_eq!([most.checked_add(one), least.checked_sub(one), most.checked_mul(2)], [None; 3]);
        let two = Some(Nanos::new(2));
        assert_eq!([one.checked_add(one), Nanos::new(3).checked_sub(one), one.checked_mul(2)], [two; 3]);
        let forever = i64::MAX / 1_000;
        assert_eq!(
            [Nanos::from_secs(forever), Nanos::from_millis(forever), Nanos::from_micros(forever + 1)],
            [most; 3]
        );
        assert_eq!([Nanos::from_secs(-forever), Nanos::from_millis(-forever)], [least; 2]);
    }

    #[test]
    fn a_duration_comes_out_as_it_went_in() {
        let duration = Duration::new(3, 141_592_653);
        assert_eq!(Duration::try_from(Nanos::from(duration)), Ok(duration));
        assert!(Duration::try_from(Nanos::new(-1)).is_err());
        assert_eq!([Nanos::SECOND.saturating_mul(2), Nanos::MAX.saturating_mul(-2)], [Nanos::from_secs(2), Nanos::MIN]);
    }

    #[test]
    fn a_time_is_compared_with_a_duration_exactly() {
        let (ms, most) = (Duration::from_millis(1), Duration::from_nanos(i64::MAX.unsigned_abs()));
        assert_eq!(Nanos::MILLISECOND, ms);
        assert_eq!(ms, Nanos::MILLISECOND);
        assert!(Nanos::new(999_999) < ms && ms < Nanos::new(1_000_001) && ms != Nanos::new(1_000_001));
        assert!(
            Nanos::new(-1) < Duration::ZERO && Duration::ZERO > Nanos::MIN && Nanos::new(-1) != Duration::from_nanos(1)
        );
        assert!(Nanos::MAX == most && Nanos::MAX < Duration::MAX && Nanos::MAX < most + Duration::from_nanos(1));
    }

    #[test]
    fn ticks_round_down_exactly() {
        let i8254 = Hertz::new(1_193_182, 1).unwrap();
        // 11 932 counts are 10 000.1509 µs: the sawtooth of the kernel's clock depends on these digits.
        assert_eq!(Nanos::from_ticks(11_932, i8254), Some(Nanos::new(10_000_150)));
        assert_eq!(Nanos::from_ticks(-1, i8254), Some(Nanos::new(-839)));
        assert_eq!(Nanos::from_ticks(i64::MAX, i8254), None);
        let [fastest, slowest, nearly] =
            [(u64::MAX, 1), (1, u64::MAX), (u64::MAX, u64::MAX - 1)].map(|(n, d)| Hertz::new(n, d).unwrap());
        for (ticks, expected) in [(i64::MIN, -500_000_001), (i64::MAX, 499_999_999)] {
            assert_eq!(Nanos::from_ticks(ticks, fastest), Some(Nanos::new(expected)));
            assert_eq!(Nanos::from_ticks(ticks, slowest), None);
            assert_eq!(Nanos::from_ticks(ticks, nearly), None);
        }
        assert_eq!(Nanos::from_ticks(9_000_000_000, nearly), Some(Nanos::new(9_000_000_000 * 1_000_000_000 - 1)));
    }

    #[test]
    fn splitting_a_negative_time_keeps_the_fraction_positive() {
        assert_eq!(Nanos::new(-1).split(), (-1, 999_999_999));
        assert_eq!(Nanos::new(1_500_000_000).split(), (1, 500_000_000));
    }

    #[test]
    fn rounding_up_never_shortens() {
        let ms = Nanos::MILLISECOND;
        assert_eq!(Nanos::new(1).ceil_to(ms), ms);
        assert_eq!(ms.ceil_to(ms), ms);
        assert_eq!(Nanos::new(-1).ceil_to(ms), Nanos::ZERO);
        assert_eq!(Nanos::ZERO.ceil_to(ms), Nanos::ZERO);
        for (time, unit, rounded) in [
            (Nanos::MIN, ms, Nanos::new(i64::MIN / 1_000_000 * 1_000_000)),
            (Nanos::MIN, Nanos::MAX, -Nanos::MAX),
            (Nanos::MIN, Nanos::new(-1), Nanos::MIN),
            (Nanos::MAX, ms, Nanos::MAX),
            (Nanos::new(7), Nanos::ZERO, Nanos::new(7)),
            (Nanos::new(7), Nanos::MIN, Nanos::new(7)),
        ] {
            assert_eq!(time.ceil_to(unit), rounded, "{time:#} {unit:#}");
        }
    }

    #[test]
    fn people_read_three_digits() {
        let shown = |ns: i64| Nanos::new(ns).to_string();
        assert_eq!(shown(0), "0 ns");
        assert_eq!(shown(999), "999 ns");
        assert_eq!(shown(57_812), "57.8 µs");
        assert_eq!([shown(999_499), shown(999_500), shown(-999_499_999)], ["999 µs", "1.00 ms", "-999 ms"]);
        assert_eq!([shown(999_500_000), format!("{:#}", Nanos::new(999_500))], ["1.00 s", "999.5 µs"]);
        assert_eq!(shown(-57_812), "-57.8 µs");
        assert_eq!(shown(9_996), "10.0 µs");
        assert_eq!(shown(1_058_000), "1.06 ms");
        assert_eq!(shown(15_625_000), "15.6 ms");
        assert_eq!(shown(1_000_000_000), "1.00 s");
        assert_eq!(format!("{:#}", Nanos::new(57_812)), "57.812 µs");
    }
}
