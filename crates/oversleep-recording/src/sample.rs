//! One sleep of one cell.

use oversleep_sys::units::Nanos;

/// One sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Its cell's number.
    pub cell: u32,
    /// Which of the cell's threads slept, from 0.
    pub thread: u16,
    /// Its number within cell and thread, from 0. In a periodic cell the number of the period: a gap is a
    /// period that was skipped.
    pub sequence: u64,
    /// What was asked for, before the call's own rounding. In a periodic cell, the period.
    pub requested: Nanos,
    /// The deadline on the cell's clock, for sleeps that have one.
    pub deadline: Option<Nanos>,
    /// The cell's clock just before the call; in a periodic cell, at the previous wake-up.
    pub start: Nanos,
    /// The cell's clock just after the call.
    pub end: Nanos,
    /// The processor before the call; [`Sample::NO_CPU`] where unknown.
    pub cpu_start: u16,
    /// The processor after the call; [`Sample::NO_CPU`] where unknown.
    pub cpu_end: u16,
    /// What else is to be known of it.
    pub flags: Flags,
}

impl Sample {
    /// Stands for a processor nobody asked about.
    pub const NO_CPU: u16 = u16::MAX;

    /// No sleep at all: fills memory before there are any.
    pub const BLANK: Self = Self {
        cell: 0,
        thread: 0,
        sequence: 0,
        requested: Nanos::ZERO,
        deadline: None,
        start: Nanos::ZERO,
        end: Nanos::ZERO,
        cpu_start: Self::NO_CPU,
        cpu_end: Self::NO_CPU,
        flags: Flags(0),
    };

    /// Returns actual minus requested: `end − deadline`, or `(end − start) − requested`. Negative = woke early. Times
    /// no clock has ever read (a foreign file may hold them) saturate.
    pub fn oversleep(&self) -> Nanos {
        match self.deadline {
            Some(deadline) => self.end.saturating_sub(deadline),
            None => self.end.saturating_sub(self.start).saturating_sub(self.requested),
        }
    }
}

/// What else is to be known of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(pub u16);

impl Flags {
    /// The first call of this method on its thread: often slower, never dropped.
    pub const FIRST: Self = Self(1);
    /// A signal ended the sleep.
    pub const INTERRUPTED: Self = Self(2);
    /// The call failed; the sample says how long that took, and is left out of statistics (and counted).
    pub const FAILED: Self = Self(4);
    /// The sleeping program collected garbage meanwhile, by its own account.
    pub const COLLECTED: Self = Self(8);

    /// Returns whether all of `other`'s bits are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the flags of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
