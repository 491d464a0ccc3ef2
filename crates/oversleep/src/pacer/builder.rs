//! The options of a pacer.

use super::Pacer;
use crate::Hertz;
use crate::machine::{Machine, ThisMachine};
use crate::option_error::{OptionError, or_panic};

/// The options of a [`Pacer`]. Made by [`Pacer::builder`].
///
/// ```
/// use oversleep::Pacer;
///
/// let pacer = Pacer::builder("10M".parse().unwrap()).burst(65_536).build();
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

    /// Sets how many units may be taken at once after an idle time, at least 1; more than that can never be taken at
    /// once. With 1, no two places in the schedule are closer than 1/rate, and a caller that is later than that has lost
    /// the difference.
    ///
    /// The default is the units of ten milliseconds plus two, so that a caller that is late by less loses nothing; and at
    /// least the largest number that was ever taken at once, so that an item of many units, such as a packet of 1500
    /// bytes, fits at any rate.
    pub fn burst(mut self, units: u64) -> Self {
        self.burst = Some(units);
        self
    }

    /// Returns a pacer whose schedule begins now.
    ///
    /// # Panics
    /// If the burst is zero, or takes 292 years or longer at this rate. [`try_build`](Self::try_build) returns an error
    /// instead.
    #[track_caller]
    pub fn build(self) -> Pacer {
        or_panic(self.try_build())
    }

    /// Returns a pacer whose schedule begins now; an error if the burst is zero, or takes 292 years or longer at this
    /// rate.
    pub fn try_build(self) -> Result<Pacer, OptionError> {
        self.try_build_on(ThisMachine)
    }

    /// Returns a pacer on any machine.
    ///
    /// # Panics
    /// As [`build`](Self::build).
    #[track_caller]
    pub fn build_on<M: Machine>(self, machine: M) -> Pacer<M> {
        or_panic(self.try_build_on(machine))
    }

    /// Returns a pacer on any machine, with the errors of [`try_build`](Self::try_build).
    pub fn try_build_on<M: Machine>(self, machine: M) -> Result<Pacer<M>, OptionError> {
        if self.burst == Some(0) {
            return Err(OptionError::NoBurst);
        }
        Pacer::built(machine, self.rate, self.burst)
    }
}
