//! The fractional reload: the i8254's divisor alternates so that ticks keep its nominal rate.

use super::super::scale::Scale;
use super::super::time::{Ps, ps_from_us};
use super::PS_TIMES_MICRO;

/// Tick k is `floor(k × nominal / hz)` counts after the start: the closed form of `DragonFly`'s remainder accumulator
/// (sys/i386/isa/clock.c 1.8, 7 January 2004).
#[derive(Debug, Clone)]
pub(crate) struct Frac<S> {
    start: Ps,
    counts: S,
    count_time: S,
    rate: S,
}

impl<S: Scale> Frac<S> {
    pub(crate) fn new(nominal: u128, hz: u128, crystal_micro_hz: u128, phase: f64) -> Self {
        Self {
            start: -ps_from_us(phase * 1e6 / hz as f64),
            counts: S::new(nominal, hz),
            count_time: S::new(PS_TIMES_MICRO, crystal_micro_hz),
            rate: S::new(crystal_micro_hz * hz, PS_TIMES_MICRO * nominal),
        }
    }

    pub(crate) fn at(&self, k: i64) -> Ps {
        self.start.saturating_add(self.count_time.floor(self.counts.floor(k)))
    }

    pub(crate) fn last(&self, t: Ps) -> i64 {
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
