//! Ticks of equal length.

use super::super::scale::Scale;
use super::super::time::{Ps, ps_from_us};

/// Tick k is at `start + floor(k × period)`.
#[derive(Debug, Clone)]
pub(crate) struct Even<S> {
    start: Ps,
    period: S,
    rate: S,
    /// The tick requested last, its time and the next one's: a sleep requests the same one several times.
    known: (i64, Ps, Ps),
}

impl<S: Scale> Even<S> {
    /// Returns ticks with a period of `numerator / denominator` ps.
    pub(crate) fn new(numerator: u128, denominator: u128, phase: f64) -> Self {
        let period_us = numerator as f64 / denominator as f64 / 1e6;
        let mut ticks = Self {
            known: (0, 0, 0),
            start: -ps_from_us(period_us * phase),
            period: S::new(numerator, denominator),
            rate: S::new(denominator, numerator),
        };
        ticks.known = (0, ticks.time(0), ticks.time(1));
        ticks
    }

    pub(crate) fn at(&self, k: i64) -> Ps {
        if k == self.known.0 { self.known.1 } else { self.time(k) }
    }

    fn time(&self, k: i64) -> Ps {
        self.start.saturating_add(self.period.floor(k))
    }

    pub(crate) fn last(&mut self, t: Ps) -> i64 {
        if (self.known.1..self.known.2).contains(&t) {
            return self.known.0;
        }
        // The quotient is off by one where the product above was rounded down; computing the time corrects that.
        let mut k = self.rate.floor(t.saturating_sub(self.start));
        let (mut at, mut next) = (self.time(k), self.time(k + 1));
        while at > t {
            k -= 1;
            (at, next) = (self.time(k), at);
        }
        while next <= t {
            k += 1;
            (at, next) = (next, self.time(k + 1));
        }
        self.known = (k, at, next);
        k
    }
}
