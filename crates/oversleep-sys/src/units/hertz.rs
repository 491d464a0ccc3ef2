//! Rates, as exact fractions because timers divide.

use super::gcd;
use std::fmt;

/// A positive rate in cycles per second, as an exact fraction in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "StoredFraction"))]
pub struct Hertz {
    numerator: u64,
    denominator: u64,
}

/// The fraction as stored in a file.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct StoredFraction {
    numerator: u64,
    denominator: u64,
}

#[cfg(feature = "serde")]
impl TryFrom<StoredFraction> for Hertz {
    type Error = &'static str;

    fn try_from(parts: StoredFraction) -> Result<Self, Self::Error> {
        Self::new(parts.numerator, parts.denominator).ok_or("a rate cannot be zero")
    }
}

impl Hertz {
    /// Returns `numerator / denominator` cycles per second; `None` if either is zero.
    pub const fn new(numerator: u64, denominator: u64) -> Option<Self> {
        if numerator == 0 || denominator == 0 {
            return None;
        }
        #[allow(clippy::cast_possible_truncation)] // it divides a number of 64 bits
        let divisor = gcd(numerator as u128, denominator as u128) as u64;
        Some(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// Returns the fraction's numerator.
    pub const fn numerator(self) -> u64 {
        self.numerator
    }

    /// Returns the fraction's denominator.
    pub const fn denominator(self) -> u64 {
        self.denominator
    }

    /// Returns the nearest floating-point number.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl fmt::Display for Hertz {
    /// Writes the exact rate: `60 Hz`, `59.94 Hz`, or as a fraction where digits do not suffice, `60000/1001 Hz`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimal = self.as_f64().to_string();
        if decimal.parse() == Ok(*self) {
            return write!(f, "{decimal} Hz");
        }
        match self.denominator {
            1 => write!(f, "{} Hz", self.numerator),
            _ => write!(f, "{}/{} Hz", self.numerator, self.denominator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reduced_and_never_zero() {
        assert_eq!(Hertz::new(60_000, 1_001), Hertz::new(120_000, 2_002));
        assert_eq!(Hertz::new(0, 1), None);
        assert_eq!(Hertz::new(1, 0), None);
    }

    #[test]
    fn a_rate_is_written_exactly() {
        let written = |numerator, denominator| Hertz::new(numerator, denominator).unwrap().to_string();
        assert_eq!(written(60, 1), "60 Hz");
        assert_eq!(written(5_994, 100), "59.94 Hz");
        assert_eq!(written(60_000, 1_001), "60000/1001 Hz");
        assert_eq!(written(1, 1_000_000_000), "0.000000001 Hz");
        assert_eq!(written(u64::MAX, 1), "18446744073709551615 Hz");
    }
}
