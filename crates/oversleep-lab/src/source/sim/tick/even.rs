//! Ticks that are all alike.

use super::super::scale::Scale;
use super::super::time::{Ps, ps_from_us};

/// Tick k is at `start + floor(k × period)`.
#[derive(Debug, Clone)]
pub(crate) struct Even<S> {
    start: Ps,
    period: S,
    rate: S,
}

impl<S: Scale> Even<S> {
    /// A period of `numerator / denominator` ps.
    pub(crate) fn new(numerator: u128, denominator: u128, phase: f64) -> Self {
        let period_us = numerator as f64 / denominator as f64 / 1e6;
        Self {
            start: -ps_from_us(period_us * phase),
            period: S::new(numerator, denominator),
            rate: S::new(denominator, numerator),
        }
    }

    pub(crate) fn at(&self, k: i64) -> Ps {
        self.start.saturating_add(self.period.floor(k))
    }

    pub(crate) fn last(&self, t: Ps) -> i64 {
        // The quotient is off by one where the product above was rounded down; asking `at` settles it.
        let mut k = self.rate.floor(t.saturating_sub(self.start));
        while self.at(k) > t {
            k -= 1;
        }
        while self.at(k + 1) <= t {
            k += 1;
        }
        k
    }
}
