//! Multiplication by a ratio, rounded down: the only arithmetic in which the fast and the exact simulation differ.

use oversleep_sys::units::gcd;

/// A positive ratio that integers are multiplied by.
pub(crate) trait Scale: Clone + std::fmt::Debug + Send + Sync {
    /// Returns the ratio `numerator / denominator`; both must be at least 1.
    fn new(numerator: u128, denominator: u128) -> Self;
    /// Returns `x × ratio`, rounded towards negative infinity.
    fn floor(&self, x: i64) -> i64;
}

/// Exact multiplication: a 128-bit product and a 128-bit division. The reference.
#[derive(Debug, Clone)]
pub(crate) struct Exact {
    numerator: i128,
    denominator: i128,
}

impl Scale for Exact {
    fn new(numerator: u128, denominator: u128) -> Self {
        let divisor = gcd(numerator, denominator).max(1);
        let part = |value: u128| i128::try_from(value / divisor).unwrap_or(i128::MAX);
        Self { numerator: part(numerator), denominator: part(denominator) }
    }

    fn floor(&self, x: i64) -> i64 {
        // Parameters are limited (see `validate`) so that |x| × numerator stays below 2¹²⁷; larger values are
        // outside the simulated machine's 100 days as well, and saturate.
        let product = i128::from(x).saturating_mul(self.numerator);
        let quotient = match (u64::try_from(product), u64::try_from(self.denominator)) {
            (Ok(product), Ok(denominator)) => i128::from(product / denominator),
            _ => product.div_euclid(self.denominator),
        };
        i64::try_from(quotient).unwrap_or(if quotient < 0 { i64::MIN } else { i64::MAX })
    }
}

/// Fixed point: a whole number and a fraction. The fraction has 64 significant bits if the whole number is zero, and
/// otherwise 64 bits after the point.
///
/// The fraction is rounded up, so that whole results stay whole: `floor` is exact as long as
/// result × denominator < 2⁶³, and otherwise too large by at most one, for results up to 2⁶³.
#[derive(Debug, Clone)]
pub(crate) struct Fixed {
    whole: i64,
    fraction: u64,
    /// The fraction counts units of 2^−(64 + shift).
    shift: u32,
    /// Largest absolute value of a factor whose product certainly fits.
    largest: u64,
}

impl Scale for Fixed {
    fn new(numerator: u128, denominator: u128) -> Self {
        let divisor = gcd(numerator, denominator).max(1);
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        let whole = i64::try_from(numerator / denominator).unwrap_or(i64::MAX);
        let mut rest = numerator % denominator;
        // Long division, bit by bit.
        let (mut fraction, mut bits) = (0_u128, 0);
        while if whole > 0 { bits < 64 } else { fraction >> 63 == 0 && bits < 126 } {
            // `rest < denominator < 2¹²⁷`, so doubling stays within 128 bits.
            rest <<= 1;
            fraction = (fraction << 1) | u128::from(rest >= denominator);
            if rest >= denominator {
                rest -= denominator;
            }
            bits += 1;
        }
        fraction += u128::from(rest > 0);
        Self {
            whole,
            fraction: u64::try_from(fraction).unwrap_or(u64::MAX),
            // Below ½ there are leading zeros before the 64 bits; otherwise there are only the 64 bits.
            shift: bits - 64,
            largest: if whole > 0 {
                i64::MAX.unsigned_abs() / (whole.unsigned_abs().saturating_add(1))
            } else {
                u64::MAX
            },
        }
    }

    #[inline]
    fn floor(&self, x: i64) -> i64 {
        if x.unsigned_abs() > self.largest {
            return if x < 0 { i64::MIN } else { i64::MAX };
        }
        #[allow(clippy::cast_possible_truncation)] // the upper half of the product of a 63-bit and a 64-bit number
        let part = ((i128::from(x) * i128::from(self.fraction)) >> 64) as i64 >> self.shift;
        x * self.whole + part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_results_stay_whole() {
        let fixed = Fixed::new(1_000_000_000, 1_000_000_000_000);
        let exact = Exact::new(1_000_000_000, 1_000_000_000_000);
        for x in [0, 999, 1_000, 1_001, 10_000_000_000_000, 8_640_000_000_000_000_000] {
            assert_eq!(exact.floor(x), x / 1_000);
            assert_eq!(fixed.floor(x), x / 1_000);
        }
        assert_eq!(exact.floor(-1), -1);
        assert_eq!(Fixed::new(3, 1).floor(7), 21);
    }

    proptest! {
        #[test]
        fn fixed_point_is_at_most_one_off(
            numerator in 1_u128..1 << 62, denominator in 1_u128..1 << 62, x in 0_i64..1 << 60,
        ) {
            let exact = (i128::from(x).unsigned_abs() * numerator / denominator).cast_signed();
            prop_assume!(exact < 1 << 62);
            let fixed = Fixed::new(numerator, denominator).floor(x);
            prop_assert!((i128::from(fixed) - exact).abs() <= 1, "{fixed} for {exact}");
            prop_assert_eq!(i128::from(Exact::new(numerator, denominator).floor(x)), exact);
        }
    }
}
