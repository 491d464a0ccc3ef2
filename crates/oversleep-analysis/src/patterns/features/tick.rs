//! The tick at which the sleeps of one group end.

use super::grid::Grid;
use super::group::Sleep;
use super::rounding::{Rounding, Votes, WHEEL_FROM};

/// A tick found in a group's wake times.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// The kernel's rate in Hz: nominal, or as measured where no nominal rate is near; `None` where several fit.
    pub hz: Option<f64>,
    /// Rates that fit the samples: `hz` alone where it is known.
    pub candidates: Vec<f64>,
    /// The grid, at `hz` or the first candidate; `None` where no tick's length is certain.
    pub grid: Option<Grid>,
    /// The rounding rule, where the samples decide.
    pub rounding: Option<Rounding>,
    /// How many sleeps each rule predicts.
    pub votes: Votes,
    /// Rules that predict these sleeps equally well, the likeliest first; empty before judging.
    pub rules: Vec<Rounding>,
    /// The rhythm of the sleeps in which it was found.
    pub design: Design,
}

/// The rhythm of an experiment, which limits what its sleeps show of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// Sleeps were due anywhere within a tick.
    Diverse,
    /// Sleeps were always due at the same place within a tick (back to back, fixed request).
    Locked,
    /// Sleeps were due at a steady rhythm that slides along the ticks.
    Sliding,
    /// Sleeps were due at a steady rhythm that keeps its place among the ticks.
    Flat,
    /// The clock itself moves at ticks only.
    Coarse,
}

/// Largest distance of a tick from its nominal rate, in ppm: a disciplined clock (500 ppm) and divisors (700 ppm).
pub(in crate::patterns) const REACH: f64 = 1_500.0;

/// Ticks shorter than this, in ns, may be shorter than the cost of waking: another cost looks like another rule.
pub(in crate::patterns) const RULED: f64 = 150_000.0;

/// Returns the sleeps too short to meet a coarser timer wheel, if there are at least eight, otherwise all.
pub fn short_of_wheel(sleeps: &[Sleep], tick: f64) -> Vec<Sleep> {
    let short: Vec<Sleep> = sleeps.iter().filter(|sleep| sleep.requested < WHEEL_FROM * tick).copied().collect();
    if short.len() >= 8 { short } else { sleeps.to_vec() }
}
