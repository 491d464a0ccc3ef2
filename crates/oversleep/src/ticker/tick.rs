//! Ticks, and the policies for missed ones.

use crate::clock::{Monotonic, Time};
use crate::{Lateness, Nanos};

/// One tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tick<C = Monotonic> {
    /// Position in the schedule, from 0. For a wall-clock ticker, the number of periods since the phase after 1970
    /// began.
    pub index: u64,
    /// Time at which the tick was due: on the monotonic clock, or the wall clock for a wall-clock ticker.
    pub deadline: Time<C>,
    /// How late the tick was delivered.
    pub lateness: Lateness,
    /// Number of ticks directly before this one that [`Missed::Skip`] left out.
    pub missed: u64,
    /// What happened to the clocks since the previous tick.
    pub disturbed: Disturbed,
}

/// What happened to the clocks since the previous tick. Zero: nothing was detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Disturbed {
    /// How long the machine was suspended. Known on Linux; elsewhere a suspension appears as missed ticks.
    pub suspended: Nanos,
    /// How far the wall clock was set forward (positive) or back. Only wall-clock tickers detect it.
    pub stepped: Nanos,
}

impl Disturbed {
    /// Returns whether nothing was detected.
    pub fn is_quiet(&self) -> bool {
        *self == Self::default()
    }
}

/// What to do when a tick is due before the previous one was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Missed {
    /// Deliver every tick, late ones at once, until the schedule is caught up with.
    Burst,
    /// Deliver the latest tick due and report how many were left out. The schedule is unchanged.
    #[default]
    Skip,
    /// Deliver the tick, and restart the schedule from there if the tick was requested late, or if the wake-up was late
    /// by a period or more: the next tick is due one period later.
    Delay,
}
