//! Rates as people write them, read exactly.

use crate::Hertz;
use std::fmt;

/// Why a rate cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RateError {
    /// Zero, negative, infinite or not a number.
    NotPositive(String),
    /// Not of the form `1000`, `59.94`, `60000/1001`, with `k`, `M` or `G` behind it if need be.
    NotARate(String),
    /// Beyond a thousand million million (10¹⁵) per second, or below one in 31 years (10⁻⁹ per second).
    OutOfRange(String),
}

impl fmt::Display for RateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPositive(text) => write!(f, "'{text}' is not a rate above zero"),
            Self::NotARate(text) => {
                write!(f, "'{text}' is not a rate; write 1000, 59.94, 60000/1001, 100k or 10M (per second)")
            }
            Self::OutOfRange(text) => write!(f, "'{text}' is not between 10⁻⁹ and 10¹⁵ per second"),
        }
    }
}

impl std::error::Error for RateError {}

const HIGHEST: u128 = 1_000_000_000_000_000;
const LOWEST_DENOMINATOR: u128 = 1_000_000_000;

/// A rate per second from a number. The shortest decimal that stands for the number is taken as exact: `59.94` is
/// 5994/100, not the binary fraction next to it.
///
/// ```
/// use oversleep::{Hertz, rate};
///
/// assert_eq!(rate::per_second(59.94), Ok(Hertz::new(5_994, 100).unwrap()));
/// assert!(rate::per_second(0.0).is_err());
/// assert!(rate::per_second(f64::NAN).is_err());
/// ```
pub fn per_second(rate: f64) -> Result<Hertz, RateError> {
    if rate.is_nan() || rate <= 0.0 || rate.is_infinite() {
        return Err(RateError::NotPositive(rate.to_string()));
    }
    if !(1e-9..=1e15).contains(&rate) {
        return Err(RateError::OutOfRange(format!("{rate:e}")));
    }
    parse(&rate.to_string())
}

/// A rate per second from a text: `1000`, `59.94`, `60000/1001`, `100k`, `1.5M`, `2G`. Decimal multiples.
pub fn parse(text: &str) -> Result<Hertz, RateError> {
    let wrong = || RateError::NotARate(text.to_owned());
    let trimmed = text.trim();
    let (digits, multiple) = match trimmed.char_indices().last() {
        Some((at, 'k' | 'K')) => (&trimmed[..at], 1_000),
        Some((at, 'M')) => (&trimmed[..at], 1_000_000),
        Some((at, 'G')) => (&trimmed[..at], 1_000_000_000),
        _ => (trimmed, 1),
    };
    if digits.starts_with('-') {
        return Err(RateError::NotPositive(text.to_owned()));
    }
    let (above, below) = digits.split_once('/').unwrap_or((digits, "1"));
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
    reduced(numerator, denominator).ok_or_else(out)
}

/// Digits with at most one point: the number without the point, and the power of ten to divide it by.
fn decimal(text: &str) -> Option<(u128, u128)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: String = [whole, fraction].concat();
    if digits.is_empty() || digits.len() > 34 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((digits.parse().ok()?, 10_u128.pow(u32::try_from(fraction.len()).ok()?)))
}

fn reduced(numerator: u128, denominator: u128) -> Option<Hertz> {
    let (mut a, mut b) = (numerator, denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Hertz::new(u64::try_from(numerator / a).ok()?, u64::try_from(denominator / a).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_exactly() {
        let of = |n, d| Ok(Hertz::new(n, d).unwrap());
        assert_eq!(parse("1000"), of(1_000, 1));
        assert_eq!(parse("60000/1001"), of(60_000, 1_001));
        assert_eq!(parse(" 59.94 "), of(5_994, 100));
        assert_eq!(parse("1.5M"), of(1_500_000, 1));
        assert_eq!(parse("1/0.5"), of(2, 1));
        assert_eq!(parse(".5"), of(1, 2));
        assert_eq!(per_second(0.1), of(1, 10));
        assert_eq!(per_second(1e15), of(1_000_000_000_000_000, 1));
        assert_eq!(per_second(1e-9), of(1, 1_000_000_000));
    }

    #[test]
    fn what_is_no_rate_says_why() {
        for text in ["0", "0/5", "5/0", "-1", "-0.0"] {
            assert!(matches!(parse(text), Err(RateError::NotPositive(_))), "{text}");
        }
        for text in ["", "k", "fast", "1e3", "1//2", "1.2.3", "٣", "1 000", "NaN", "inf"] {
            assert!(matches!(parse(text), Err(RateError::NotARate(_))), "{text}");
        }
        for text in ["2000000G", "0.0000000001", "1/99999999999"] {
            assert!(matches!(parse(text), Err(RateError::OutOfRange(_))), "{text}");
        }
        for rate in [0.0, -0.0, -5.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(per_second(rate), Err(RateError::NotPositive(_))), "{rate}");
        }
        for rate in [1e16, f64::MAX, f64::MIN_POSITIVE, 1e-10] {
            assert!(matches!(per_second(rate), Err(RateError::OutOfRange(_))), "{rate}");
        }
    }
}
