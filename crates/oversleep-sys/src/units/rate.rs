//! Rates as users write them, parsed exactly.

use super::{Hertz, gcd};
use std::fmt;
use std::str::FromStr;

/// Why a rate is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RateError {
    /// The rate is zero, negative, infinite or NaN.
    NotPositive(String),
    /// The text is not of the form `1000`, `59.94`, `60000/1001` or `48k`, optionally followed by `Hz`.
    NotARate(String),
    /// The rate is above 10¹⁵ per second, or below one in 31 years (10⁻⁹ per second).
    OutOfRange(String),
    /// The rate has more digits than a fraction of two 64-bit numbers can hold.
    TooFine(String),
}

impl fmt::Display for RateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPositive(text) => write!(f, "'{text}' is not a rate above zero"),
            Self::NotARate(text) => {
                write!(f, "'{text}' is not a rate; write 60Hz, 59.94, 60000/1001, 48kHz or 10M (per second)")
            }
            Self::OutOfRange(text) => write!(f, "'{text}' is not between 10⁻⁹ and 10¹⁵ per second"),
            Self::TooFine(text) => write!(f, "'{text}' has too many digits to be kept exactly; leave some out"),
        }
    }
}

impl std::error::Error for RateError {}

const HIGHEST: u128 = 1_000_000_000_000_000;
const LOWEST_DENOMINATOR: u128 = 1_000_000_000;

impl TryFrom<f64> for Hertz {
    type Error = RateError;

    /// Converts a number of cycles per second to a rate. The shortest decimal that represents the number is taken as
    /// exact: `59.94` is 5994/100, not the binary fraction next to it. Where that takes more than 64 bits in numerator
    /// or denominator, the nearest simpler fraction is used, which is nearer than the number's own last digit.
    ///
    /// ```
    /// use oversleep_sys::units::Hertz;
    ///
    /// assert_eq!(Hertz::try_from(59.94), Ok(Hertz::new(5_994, 100).unwrap()));
    /// assert!(Hertz::try_from(0.0).is_err());
    /// assert!(Hertz::try_from(f64::NAN).is_err());
    /// ```
    fn try_from(rate: f64) -> Result<Self, RateError> {
        if rate.is_nan() || rate <= 0.0 || rate.is_infinite() {
            return Err(RateError::NotPositive(rate.to_string()));
        }
        if !(1e-9..=1e15).contains(&rate) {
            return Err(RateError::OutOfRange(format!("{rate:e}")));
        }
        nearest(&rate.to_string())
    }
}

impl Hertz {
    /// Returns the rate of events that are this many seconds apart; the number is converted as `TryFrom<f64>` does.
    ///
    /// ```
    /// use oversleep_sys::units::Hertz;
    ///
    /// assert_eq!(Hertz::once_in(0.1), Ok(Hertz::new(10, 1).unwrap()));
    /// assert_eq!(Hertz::once_in(1.0 / 44_100.0), Ok(Hertz::new(44_100, 1).unwrap()));
    /// ```
    pub fn once_in(seconds: f64) -> Result<Self, RateError> {
        if seconds.is_nan() || seconds <= 0.0 || seconds.is_infinite() {
            return Err(RateError::NotPositive(seconds.to_string()));
        }
        if !(1e-15..=1e9).contains(&seconds) {
            return Err(RateError::OutOfRange(format!("1/{seconds:e}")));
        }
        nearest(&format!("1/{seconds}"))
    }
}

/// Returns the rate of a text, or the nearest one whose parts have 64 bits.
fn nearest(text: &str) -> Result<Hertz, RateError> {
    let (above, below) = fraction(text)?;
    exact(above, below).or_else(|| approached(above, below)).ok_or_else(|| RateError::TooFine(text.to_owned()))
}

impl FromStr for Hertz {
    type Err = RateError;

    /// Parses a rate per second, as [`Display`](fmt::Display) writes it or shorter: `60 Hz`, `59.94Hz`, `60000/1001`,
    /// `48kHz`, `1.5M`, `2G`. The multiples are decimal. A fraction takes none, because `64/48k` can be read in two ways.
    ///
    /// ```
    /// use oversleep_sys::units::Hertz;
    ///
    /// assert_eq!("60000/1001".parse(), Ok(Hertz::new(60_000, 1_001).unwrap()));
    /// assert_eq!("48 kHz".parse(), Ok(Hertz::new(48_000, 1).unwrap()));
    /// ```
    fn from_str(text: &str) -> Result<Self, RateError> {
        let (above, below) = fraction(text)?;
        exact(above, below).ok_or_else(|| RateError::TooFine(text.to_owned()))
    }
}

/// Parses the text as a fraction, within the range of rates.
fn fraction(text: &str) -> Result<(u128, u128), RateError> {
    let wrong = || RateError::NotARate(text.to_owned());
    let number = without_unit(text.trim());
    let (digits, multiple) = match number.char_indices().last() {
        Some((at, 'k' | 'K')) => (number[..at].trim_end(), 1_000),
        Some((at, 'M')) => (number[..at].trim_end(), 1_000_000),
        Some((at, 'G')) => (number[..at].trim_end(), 1_000_000_000),
        _ => (number, 1),
    };
    if digits.starts_with('-') {
        return Err(RateError::NotPositive(text.to_owned()));
    }
    let (above, below) = match digits.split_once('/') {
        Some(_) if multiple > 1 => return Err(wrong()),
        Some(parts) => parts,
        None => (digits, "1"),
    };
    let (numerator, tens) = decimal(above).ok_or_else(wrong)?;
    let (denominator, below_tens) = decimal(below).ok_or_else(wrong)?;
    let out = || RateError::OutOfRange(text.to_owned());
    let numerator = numerator.checked_mul(multiple).and_then(|n| n.checked_mul(below_tens)).ok_or_else(out)?;
    let denominator = denominator.checked_mul(tens).ok_or_else(out)?;
    if numerator == 0 || denominator == 0 {
        return Err(RateError::NotPositive(text.to_owned()));
    }
    if numerator / denominator > HIGHEST || denominator / numerator > LOWEST_DENOMINATOR {
        return Err(out());
    }
    Ok((numerator, denominator))
}

/// Returns the text before the unit `Hz`, in any case, if it has that.
fn without_unit(text: &str) -> &str {
    match text.len().checked_sub(2).and_then(|at| text.split_at_checked(at)) {
        Some((number, unit)) if unit.eq_ignore_ascii_case("hz") => number.trim_end(),
        _ => text,
    }
}

/// Parses digits with at most one point: returns the number without the point, and the power of ten to divide it by.
fn decimal(text: &str) -> Option<(u128, u128)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: String = [whole, fraction].concat();
    if digits.is_empty() || digits.len() > 34 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((digits.parse().ok()?, 10_u128.pow(u32::try_from(fraction.len()).ok()?)))
}

/// Returns the fraction itself, if its parts in lowest terms have 64 bits.
fn exact(above: u128, below: u128) -> Option<Hertz> {
    let divisor = gcd(above, below);
    Hertz::new(u64::try_from(above / divisor).ok()?, u64::try_from(below / divisor).ok()?)
}

/// Returns the first convergent of the fraction's continued fraction (Hardy and Wright, chapter 10) that equals it as a
/// float, which is the simplest such number: 44100 for the result of 1/(1/44100).
fn approached(above: u128, below: u128) -> Option<Hertz> {
    let number = above as f64 / below as f64;
    let (mut rest, mut divisor) = (above, below);
    let (mut last, mut present) = ((0_u64, 1_u64), (1_u64, 0_u64));
    while divisor != 0 {
        let whole = u64::try_from(rest / divisor).ok();
        let step = |last: u64, present: u64| last.checked_add(present.checked_mul(whole?)?);
        let Some(next) = step(last.0, present.0).zip(step(last.1, present.1)) else { break };
        (last, present) = (present, next);
        (rest, divisor) = (divisor, rest % divisor);
        if (present.0 as f64 / present.1 as f64 - number).abs() <= f64::EPSILON * number {
            break;
        }
    }
    Hertz::new(present.0, present.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Hertz, RateError> {
        text.parse()
    }

    #[test]
    fn rates_are_read_exactly() {
        let rate = |n, d| Ok(Hertz::new(n, d).unwrap());
        assert_eq!(parse("1000"), rate(1_000, 1));
        assert_eq!(parse("60000/1001"), rate(60_000, 1_001));
        assert_eq!(parse(" 59.94 "), rate(5_994, 100));
        assert_eq!(parse("1.5M"), rate(1_500_000, 1));
        assert_eq!(parse("1/0.5"), rate(2, 1));
        assert_eq!(parse(".5"), rate(1, 2));
        for text in ["60Hz", "60 Hz", " 60 hz", "60.0 Hz", "0.06kHz", "0.06 k", "120/2HZ"] {
            assert_eq!(parse(text), rate(60, 1), "{text}");
        }
        assert_eq!(parse("48kHz"), rate(48_000, 1));
        assert_eq!(parse("48 kHz"), rate(48_000, 1));
        assert_eq!(parse("60000/1001 Hz"), rate(60_000, 1_001));
        assert_eq!(Hertz::try_from(0.1), rate(1, 10));
        assert_eq!(Hertz::try_from(1e15), rate(1_000_000_000_000_000, 1));
        assert_eq!(Hertz::try_from(1e-9), rate(1, 1_000_000_000));
    }

    #[test]
    fn a_number_of_many_digits_is_kept_beyond_its_own_precision() {
        // 1/44100 has 17 digits after four zeros: as a decimal its denominator has 70 bits.
        for seconds in [1.0 / 44_100.0, 1.0 / 48_000.0, std::f64::consts::PI * 1e-5, 2.0 / 3e6] {
            for rate in [Hertz::once_in(seconds).unwrap(), Hertz::try_from(seconds).unwrap()] {
                let value = rate.numerator() as f64 / rate.denominator() as f64;
                let off = (value - seconds).abs().min((1.0 / value - seconds).abs());
                assert!(off <= f64::EPSILON * seconds, "{seconds}: {rate:?}");
            }
        }
        assert_eq!(Hertz::once_in(1.0 / 44_100.0), Ok(Hertz::new(44_100, 1).unwrap()));
        // A text is either kept exactly or an error.
        assert!(matches!(parse("0.000022675736961451248"), Err(RateError::TooFine(_))));
        assert!(matches!(Hertz::once_in(1e10), Err(RateError::OutOfRange(_))));
        assert!(matches!(Hertz::once_in(-1.0), Err(RateError::NotPositive(_))));
    }

    #[test]
    fn what_is_no_rate_says_why() {
        for text in ["0", "0/5", "5/0", "-1", "-0.0"] {
            assert!(matches!(parse(text), Err(RateError::NotPositive(_))), "{text}");
        }
        for text in
            ["", "k", "Hz", "kHz", "fast", "1e3", "1//2", "1.2.3", "٣", "1 000", "NaN", "inf", "64/48k", "1Hz Hz", "éz"]
        {
            assert!(matches!(parse(text), Err(RateError::NotARate(_))), "{text}");
        }
        for text in ["2000000G", "0.0000000001", "1/99999999999"] {
            assert!(matches!(parse(text), Err(RateError::OutOfRange(_))), "{text}");
        }
        for rate in [0.0, -0.0, -5.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(Hertz::try_from(rate), Err(RateError::NotPositive(_))), "{rate}");
        }
        for rate in [1e16, f64::MAX, f64::MIN_POSITIVE, 1e-10] {
            assert!(matches!(Hertz::try_from(rate), Err(RateError::OutOfRange(_))), "{rate}");
        }
    }

    proptest! {
        /// What is written is read back as the same rate; one that the parser leaves out is so for its size.
        #[test]
        fn a_rate_is_read_as_it_is_written(numerator in 1_u64.., denominator in 1_u64.., small in 1_u64..100_000) {
            for rate in [(numerator, denominator), (numerator, small), (small, denominator), (small, 1_001), (small, 1_000)] {
                let rate = Hertz::new(rate.0, rate.1).unwrap();
                match rate.to_string().parse::<Hertz>() {
                    Ok(read) => prop_assert_eq!(read, rate),
                    Err(error) => {
                        prop_assert!(matches!(error, RateError::OutOfRange(_)), "{error}");
                        prop_assert!(!(1e-9..=1e15).contains(&rate.as_f64()), "{rate}");
                    }
                }
            }
        }
    }
}
