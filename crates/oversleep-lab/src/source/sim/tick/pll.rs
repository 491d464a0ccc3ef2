//! The phase-locked tick of `DragonFly` clock.c 1.10 (8 January to 30 January 2004).
//!
//! Called a PLL, it is a bang-bang phase detector: each tick's interrupt looks at the wall clock's microseconds
//! cached by the tick before, modulo the tick. In the first half the i8254 is reloaded with N (a bit short), in the
//! second half with N + 1 (a bit long). A reload takes effect one period later.

use super::super::clock::Clock;
use super::super::params::Parameters;
use super::super::scale::Scale;
use super::super::time::{Ps, ps_from_us};
use super::PS_TIMES_MICRO;

/// How many past ticks are remembered; `validate` keeps `tc_tick` within it.
const PAST: i64 = 128; // the length of `past`

/// The state at its newest tick.
#[derive(Debug, Clone)]
pub(crate) struct Pll<S> {
    start: Ps,
    count_time: S,
    irq: Ps,
    /// N, in i8254 counts.
    reload: i64,
    /// A tick in microseconds, truncated.
    phase_us: i64,
    newest: i64,
    /// Counts from the start to the newest tick.
    counts: i64,
    /// The reload in force until the next tick.
    current: i64,
    /// The reload after that.
    pending: i64,
    /// The microseconds the newest tick cached.
    cached_us: i64,
    /// Where its second began: the detector looks at `tv_usec`, which starts again each second.
    second_us: i64,
    /// And the microseconds within it modulo `phase_us`, kept by adding differences: a division each tick would cost more than the rest.
    cached_mod: i64,
    past: Box<[Ps; 128]>,
}

impl<S: Scale> Pll<S> {
    pub(crate) fn new(p: &Parameters, crystal_micro_hz: u128, phase: f64) -> Self {
        let reload = i64::from(p.f_i8254_nom_hz / p.hz);
        let start = -ps_from_us(phase * 1e6 / f64::from(p.hz));
        Self {
            start,
            count_time: S::new(PS_TIMES_MICRO, crystal_micro_hz),
            irq: ps_from_us(p.irq_us),
            reload,
            phase_us: i64::from(1_000_000 / p.hz),
            newest: 0,
            counts: 0,
            current: reload,
            pending: reload,
            cached_us: 0,
            second_us: i64::MIN / 2,
            cached_mod: 0,
            past: Box::new([start; 128]),
        }
    }

    /// The true time of tick `k`: one of the last 128, or one to come.
    pub(crate) fn at(&mut self, k: i64, clock: &mut Clock<S>) -> Ps {
        while self.newest < k {
            self.step(clock);
        }
        self.past[slot(k.max(self.newest - PAST + 1).max(0))]
    }

    /// The last tick at or before `t`.
    pub(crate) fn last(&mut self, t: Ps, clock: &mut Clock<S>) -> i64 {
        while self.past[slot(self.newest)] <= t {
            self.step(clock);
        }
        let mut k = self.newest - 1;
        while k > 0 && k > self.newest - PAST + 1 && self.past[slot(k)] > t {
            k -= 1;
        }
        k
    }

    fn step(&mut self, clock: &mut Clock<S>) {
        self.newest += 1;
        self.counts += self.current;
        let at = self.start + self.count_time.floor(self.counts);
        self.past[slot(self.newest)] = at;
        self.current = self.pending;
        self.pending = self.reload + i64::from(self.cached_mod >= self.phase_us / 2);
        let us = clock.read_ns(at + self.irq) / 1_000;
        let grown = self.cached_mod + (us - self.cached_us);
        self.cached_us = us;
        self.cached_mod = if us - self.second_us < 1_000_000 && (0..2 * self.phase_us).contains(&grown) {
            grown - if grown >= self.phase_us { self.phase_us } else { 0 }
        } else {
            self.second_us = us - us.rem_euclid(1_000_000);
            (us - self.second_us) % self.phase_us
        };
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // tick numbers are not negative here
fn slot(k: i64) -> usize {
    (k % PAST) as usize
}
