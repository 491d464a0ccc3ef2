//! Mean and scatter of values that come one by one.

/// Distance from the first value, in ns (almost five minutes), below which sums are exact: 2⁴⁸ such values do not overflow.
const NEAR: u64 = 1 << 38;

/// Number, mean and scatter of signed nanoseconds.
///
/// Values near the first one are summed as integers, which is exact and needs no division per value. What is far from it,
/// or was added as a whole, is combined with them in floating point.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moments {
    first: i64,
    near: u64,
    /// Sums of the distances from the first value and of their squares.
    sum: i128,
    squares: u128,
    others: Part,
}

/// Number, mean, and sum of squared distances from it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Part {
    pub(super) count: u64,
    pub(super) mean: f64,
    pub(super) squares: f64,
}

impl Moments {
    #[inline]
    pub(super) fn add(&mut self, ns: i64) {
        if self.near == 0 {
            self.first = ns;
        }
        match ns.checked_sub(self.first).filter(|distance| distance.unsigned_abs() < NEAR) {
            Some(distance) => {
                self.near += 1;
                self.sum += i128::from(distance);
                let distance = u128::from(distance.unsigned_abs());
                self.squares += distance * distance;
            }
            None => self.add_part(Part { count: 1, mean: ns as f64, squares: 0.0 }),
        }
    }

    /// Adds other values as a whole.
    pub(super) fn add_part(&mut self, part: Part) {
        self.others = self.others.with(part);
    }

    /// Returns the number of all values.
    pub(super) fn count(&self) -> u64 {
        self.near + self.others.count
    }

    /// Returns number, mean and scatter of all values.
    pub(super) fn whole(&self) -> Part {
        self.others.with(self.near_the_first())
    }

    fn near_the_first(&self) -> Part {
        if self.near == 0 {
            return Part::default();
        }
        // From the whole nanosecond below the mean, the sum of squares is still an integer; only the rest is rounded.
        #[allow(clippy::cast_possible_wrap)] // below 2¹²⁷
        let squares = self.squares as i128;
        let count = i128::from(self.near);
        let (below, rest) = (self.sum.div_euclid(count), self.sum.rem_euclid(count));
        let from_below = squares - 2 * below * self.sum + count * below * below;
        let part = rest as f64 / count as f64;
        Part {
            count: self.near,
            mean: (i128::from(self.first) + below) as f64 + part,
            squares: from_below as f64 - part * rest as f64,
        }
    }
}

impl Part {
    /// Returns this with another one: the pairwise update of Chan et al., "Updating formulae and a pairwise algorithm for
    /// computing sample variances", 1979.
    pub(super) fn with(self, other: Self) -> Self {
        if self.count == 0 || other.count == 0 {
            return if self.count == 0 { other } else { self };
        }
        let (mine, theirs) = (self.count as f64, other.count as f64);
        let distance = other.mean - self.mean;
        Self {
            count: self.count + other.count,
            mean: self.mean + distance * theirs / (mine + theirs),
            squares: self.squares + other.squares + distance * distance * mine * theirs / (mine + theirs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accumulate(values: impl IntoIterator<Item = i64>) -> Part {
        let mut moments = Moments::default();
        values.into_iter().for_each(|value| moments.add(value));
        moments.whole()
    }

    #[test]
    fn scatter_is_exact_however_far_values_are_from_the_first_and_from_zero() {
        // 0 to 99 about a value: mean 49.5, scatter (100³ − 100) / 12.
        for middle in [0, 4_000_000, -200_000_000_000, 200_000_000_000] {
            let part = accumulate((0..100).map(|value| middle + value));
            assert_eq!((part.count, part.mean, part.squares), (100, middle as f64 + 49.5, 83_325.0));
        }
        // A first value that is far from the others: 1 s, and then 3 ms and 3 ms + 2 ns in turns.
        let part = accumulate([1_000_000_000].into_iter().chain((0..1_000_000).map(|at| 3_000_000 + at % 2 * 2)));
        let (n, distance) = (1e6, 996_999_999.0);
        let expected = 1e6 + distance * distance * n / (n + 1.0);
        assert!((part.squares / expected - 1.0).abs() < 1e-15, "{} {expected}", part.squares);
    }

    #[test]
    fn values_of_any_size_are_taken() {
        let part = accumulate([i64::MIN, i64::MAX, i64::MIN, i64::MAX]);
        assert_eq!((part.count, part.mean), (4, 0.0));
        assert!((part.squares / (4.0 * 2.0_f64.powi(126)) - 1.0).abs() < 1e-12);
    }
}
