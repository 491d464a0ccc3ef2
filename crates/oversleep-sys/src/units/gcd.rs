//! The greatest common divisor.

/// Returns the greatest number that divides both; 0 if both are zero.
pub const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_divided_by_everything() {
        assert_eq!([gcd(12, 18), gcd(7, 0), gcd(0, 7), gcd(0, 0), gcd(u128::MAX, 1)], [6, 7, 7, 0, 1]);
    }
}
