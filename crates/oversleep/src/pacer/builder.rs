//! The options of a pacer.

use super::{Pacer, PacerError};
use crate::Hertz;
use crate::machine::{Machine, ThisMachine};

/// The options of a [`Pacer`]. Made by [`Pacer::builder`].
///
/// ```
/// use oversleep::Pacer;
///
/// let pacer = Pacer::builder("10M".parse().unwrap()).burst(65_536).build().unwrap();
/// assert_eq!(pacer.burst(), 65_536);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a builder paces nothing; build() makes the pacer"]
pub struct PacerBuilder {
    rate: Hertz,
    burst: Option<u64>,
}

impl PacerBuilder {
    pub(super) fn new(rate: Hertz) -> Self {
        Self { rate, burst: None }
    }

    /// Sets how many units may be taken at once after an idle time, at least 1. The default is the units of ten
    /// milliseconds plus two: a caller that is late by less loses nothing. With 1, no two places in the schedule are
    /// closer than 1/rate, and a caller that is later than that has lost the difference.
    pub fn burst(mut self, units: u64) -> Self {
        self.burst = Some(units);
        self
    }

    /// Returns a pacer whose schedule begins now.
    ///
    /// # Errors
    ///
    /// [`PacerError::BurstTooLong`] at a rate so low that a burst takes longer than 292 years.
    pub fn build(self) -> Result<Pacer, PacerError> {
        self.build_on(ThisMachine)
    }

    /// Returns a pacer on any machine, with the same errors as [`build`](Self::build).
    pub fn build_on<M: Machine>(self, machine: M) -> Result<Pacer<M>, PacerError> {
        let default = || (self.rate.numerator() / self.rate.denominator() / 100).saturating_add(2);
        Pacer::built(machine, self.rate, self.burst.unwrap_or_else(default))
    }
}
