//! The times of ticks.

mod detector;
mod even;
mod frac;
mod pll;

pub(crate) use even::Even;
pub(crate) use frac::Frac;
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
