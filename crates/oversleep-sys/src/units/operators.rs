//! Operators of durations. They saturate: measured times come from files and clocks, and none of them may end the
//! program.

use super::Nanos;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

impl Nanos {
    /// Returns the same as [`saturating_abs`](Self::saturating_abs).
    pub const fn abs(self) -> Self {
        self.saturating_abs()
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

impl Sub for Nanos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.saturating_sub(other)
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Nanos {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Nanos {
    type Output = Self;
    fn neg(self) -> Self {
        self.saturating_neg()
    }
}

impl Mul<i64> for Nanos {
    type Output = Self;
    fn mul(self, count: i64) -> Self {
        self.saturating_mul(count)
    }
}

impl Sum for Nanos {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_held_at_the_ends_of_the_range() {
        let (most, least, one) = (Nanos::MAX, Nanos::MIN, Nanos::new(1));
        assert_eq!([most + one, least - one, -least, least.abs()], [most, least, most, most]);
        assert_eq!([most * 2, most * -2, least * 3], [most, least, least]);
        assert_eq!([one, most, one].into_iter().sum::<Nanos>(), most);
        let mut grown = most;
        grown += one;
        assert_eq!(grown, most);
        grown = least;
        grown -= one;
        assert_eq!(grown, least);
    }
}
