//! What a ticker hands out, and what it does with ticks it missed.

use crate::{Lateness, Monotonic, Nanos, Time};

/// One tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tick<C = Monotonic> {
    /// Which one: its place in the schedule, from 0. For a wall-clock ticker, periods since 1970 and its phase.
    pub index: u64,
    /// When it was due: on the monotonic clock, or the wall clock for a wall-clock ticker.
    pub deadline: Time<C>,
    /// How late it was handed out.
    pub lateness: Lateness,
    /// Ticks before it that were left out by [`Missed::Skip`].
    pub missed: u64,
    /// What happened to the clocks since the tick before.
    pub disturbed: Disturbed,
}

/// What happened to the clocks since the tick before. Zero: nothing that could be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Disturbed {
    /// How long the machine was suspended. Linux says so; elsewhere such a time shows as missed ticks.
    pub suspended: Nanos,
    /// How far the wall clock was set forward (positive) or back. Wall-clock tickers see it.
    pub stepped: Nanos,
}

impl Disturbed {
    /// Returns whether nothing was seen to happen.
    pub fn is_quiet(&self) -> bool {
        *self == Self::default()
    }
}

/// What to do when a tick is due before the one before it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Missed {
    /// Hand out every tick, late ones at once, until the schedule is caught up with.
    Burst,
    /// Hand out the latest tick due and say how many were left out. The schedule stands.
    #[default]
    Skip,
    /// Hand out the tick, and begin the schedule anew from there if it was asked for late, or woken for a period late or
    /// more: the next is due a period later.
    Delay,
}
