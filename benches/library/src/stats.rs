//! Exact quantiles of a list.

use oversleep::Nanos;

/// Values in ascending order.
#[derive(Debug, Clone)]
pub struct Sorted(Vec<i64>);

impl Sorted {
    pub fn of(mut values: Vec<i64>) -> Self {
        values.sort_unstable();
        Self(values)
    }

    /// Returns the smallest value that this share of all values do not exceed.
    pub fn quantile(&self, share: f64) -> i64 {
        let rank = (share * self.0.len() as f64).ceil() as usize;
        self.0.get(rank.clamp(1, self.0.len().max(1)) - 1).copied().unwrap_or(0)
    }

    /// Returns the mean of max(0, margin − value).
    pub fn mean_short_of(&self, margin: f64) -> f64 {
        let short: f64 = self.0.iter().map(|value| (margin - *value as f64).max(0.0)).sum();
        short / self.0.len().max(1) as f64
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
