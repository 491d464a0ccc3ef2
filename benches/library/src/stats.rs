//! Exact quantiles of a list.

use oversleep::Nanos;

/// Values in ascending order.
#[derive(Debug, Clone)]
pub struct Sorted(Vec<i64>);

impl Sorted {
    pub fn new(mut values: Vec<i64>) -> Self {
        values.sort_unstable();
        Self(values)
    }

    /// Returns the smallest value that this share of all values do not exceed.
    pub fn quantile(&self, share: f64) -> i64 {
        let rank = (share * self.0.len() as f64).ceil() as usize;
        self.0.get(rank.clamp(1, self.0.len().max(1)) - 1).copied().unwrap_or(0)
    }

    /// Returns the bounds of a quantile: those ranks between which it lies with about 95 % (the number of values below it
    /// is binomial).
    pub fn between(&self, share: f64) -> (i64, i64) {
        let (n, width) = (self.0.len() as f64, 2.0 * (self.0.len() as f64 * share * (1.0 - share)).sqrt());
        let quantile_at = |rank: f64| self.quantile((rank / n.max(1.0)).clamp(0.0, 1.0));
        (quantile_at(n * share - width), quantile_at(n * share + width + 1.0))
    }

    /// Returns the number of values from `least` to `most`, both included.
    pub fn count(&self, least: i64, most: i64) -> usize {
        self.0.partition_point(|value| *value <= most) - self.0.partition_point(|value| *value < least)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn worst(&self) -> i64 {
        self.0.iter().copied().map(i64::abs).max().unwrap_or(0)
    }
}

/// Returns a time in microseconds as text, with two decimals below 10, one below 100, and none from there on.
pub fn us(ns: i64) -> String {
    let value = Nanos::new(ns).as_f64() / 1e3;
    match value.abs() {
        v if v < 10.0 => format!("{value:.2}"),
        v if v < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_lies_between_its_bounds_which_narrow() {
        let sorted = Sorted::new((0..10_000).rev().collect());
        assert_eq!((sorted.quantile(0.5), sorted.between(0.5)), (4_999, (4_899, 5_100)));
        assert_eq!(Sorted::new((0..4).collect()).between(0.5), (0, 3));
        assert_eq!(sorted.count(10, 19), 10);
    }
}
