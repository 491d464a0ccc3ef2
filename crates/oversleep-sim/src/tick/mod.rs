//! The times of ticks.

mod pll;

pub(crate) use pll::Pll;

use super::clock::Clock;
use super::params::Parameters;
use super::scale::Scale;
use super::time::{PS_PER_S, Ps, ps_from_us};
use super::vocabulary::TickSource;

/// A source of tick interrupts. Tick 0 is the last one at or before true time 0.
#[derive(Debug, Clone)]
pub(crate) enum Ticks<S> {
    /// Periods of equal length.
    Even(Even<S>),
    /// Periods of two lengths, in a fixed pattern.
    Frac(Frac<S>),
    /// Periods of two lengths, chosen at each tick.
    Pll(Box<Pll<S>>),
}

impl<S: Scale> Ticks<S> {
    /// Returns the ticks that these (accepted) parameters make; `phase` (0 to 1) is the share of a tick passed at time
    /// 0.
    pub(crate) fn new(p: &Parameters, phase: f64) -> Self {
        let crystal = micro_hertz(p.f_i8254_true_hz);
        let (nominal, hz) = (u128::from(p.f_i8254_nom_hz), u128::from(p.hz));
        match p.source {
            TickSource::I8254 => Self::Even(Even::new((nominal + hz / 2) / hz * PS_TIMES_MICRO, crystal, phase)),
            TickSource::Frac => Self::Frac(Frac::new(nominal, hz, crystal, phase)),
            TickSource::Pll => Self::Pll(Box::new(Pll::new(p, crystal, phase))),
            TickSource::Lapic => {
                let (multiple, counts) = super::calibrate::lapic_counts(p);
                let counts = u128::from(multiple) * u128::from(counts);
                Self::Even(Even::new(counts * PS_TIMES_MICRO, micro_hertz(p.lapic_true_hz), phase))
            }
            TickSource::Exact if p.tick_period_us > 0.0 => {
                Self::Even(Even::new(u128::from(ps_from_us(p.tick_period_us).unsigned_abs()), 1, phase))
            }
            TickSource::Exact => Self::Even(Even::new(u128::from(PS_PER_S.unsigned_abs()), hz, phase)),
        }
    }

    /// Returns the number of the last tick at or before `t`. The phase-locked source only moves forward: `t` must
    /// not be earlier than in a previous call by more than the ticks it remembers.
    pub(crate) fn last(&mut self, t: Ps, clock: &mut Clock<S>) -> i64 {
        match self {
            Self::Even(ticks) => ticks.last(t),
            Self::Frac(ticks) => ticks.last(t),
            Self::Pll(ticks) => ticks.last(t, clock),
        }
    }

    /// Returns the true time of tick `k`.
    pub(crate) fn at(&mut self, k: i64, clock: &mut Clock<S>) -> Ps {
        match self {
            Self::Even(ticks) => ticks.at(k),
            Self::Frac(ticks) => ticks.at(k),
            Self::Pll(ticks) => ticks.at(k, clock),
        }
    }
}

/// Picoseconds per second times microhertz per hertz: counts × this / rate in µHz is a time in ps.
pub(crate) const PS_TIMES_MICRO: u128 = 1_000_000_000_000_000_000;

/// Returns a true rate as whole microhertz, at least 1.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturating; validated to 1e3..1e10 Hz
pub(crate) fn micro_hertz(hz: f64) -> u128 {
    u128::from(((hz * 1e6).round() as u64).max(1))
}

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
