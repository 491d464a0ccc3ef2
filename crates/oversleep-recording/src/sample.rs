//! Samples: one sleep of one cell each.

use oversleep_sys::units::Nanos;

/// One sleep of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// ID of the cell.
    pub cell: u32,
    /// Number of the cell's thread that slept, from 0.
    pub thread: u16,
    /// Number within cell and thread, from 0. In a periodic cell, the number of the period: a gap is a
    /// skipped period.
    pub sequence: u64,
    /// Requested duration, before the call's own rounding. In a periodic cell, the period.
    pub requested: Nanos,
    /// Deadline on the cell's clock, for sleeps that have one.
    pub deadline: Option<Nanos>,
    /// Time of the cell's clock just before the call; in a periodic cell, at the previous wake-up.
    pub start: Nanos,
    /// Time of the cell's clock just after the call.
    pub end: Nanos,
    /// Processor before the call; [`Sample::NO_CPU`] where unknown.
    pub cpu_start: u16,
    /// Processor after the call; [`Sample::NO_CPU`] where unknown.
    pub cpu_end: u16,
    /// Further properties of the sample.
    pub flags: Flags,
    /// How long the thread was ready to run during the call while the processor did something else.
    pub run_queue: RunQueueWait,
}

impl Sample {
    /// An unknown processor.
    pub const NO_CPU: u16 = u16::MAX;

    /// An empty sample, to initialise memory.
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
        run_queue: RunQueueWait::UNKNOWN,
    };

    /// Returns the processor after the call, where it is known.
    pub fn cpu(&self) -> Option<u16> {
        (self.cpu_end != Self::NO_CPU).then_some(self.cpu_end)
    }

    /// Returns actual minus requested: `end − deadline`, or `(end − start) − requested`. Negative = woke early. Times
    /// that no clock can have read (a foreign file may contain them) saturate.
    pub fn oversleep(&self) -> Nanos {
        match self.deadline {
            Some(deadline) => self.end.saturating_sub(deadline),
            None => self.end.saturating_sub(self.start).saturating_sub(self.requested),
        }
    }
}

/// How long a thread waited in run queues during a call, if that was counted. Four bytes, so that a sample keeps its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunQueueWait(u32);

impl RunQueueWait {
    /// A wait that was not counted.
    pub const UNKNOWN: Self = Self(u32::MAX);

    /// Makes a wait of a length; lengths above 4.29 s count as that.
    pub fn new(length: Nanos) -> Self {
        Self(u32::try_from(length.get().max(0)).unwrap_or(u32::MAX).min(u32::MAX - 1))
    }

    /// Returns the length in ns, 0 where it was not counted.
    pub(crate) fn or_zero(self) -> u32 {
        if self == Self::UNKNOWN { 0 } else { self.0 }
    }

    /// Returns the length; `None` where it was not counted.
    pub fn get(self) -> Option<Nanos> {
        (self != Self::UNKNOWN).then(|| Nanos::new(self.0.into()))
    }
}

/// Properties of a sample, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(pub u16);

impl Flags {
    /// The first call of this method on its thread: often slower, never dropped.
    pub const FIRST: Self = Self(1);
    /// A signal ended the sleep.
    pub const INTERRUPTED: Self = Self(2);
    /// The call failed; the sample's times say how long that took. It is counted, but left out of statistics.
    pub const FAILED: Self = Self(4);
    /// The sleeping program collected garbage during the sleep, by its own count.
    pub const COLLECTED: Self = Self(8);

    /// Returns whether all of `other`'s bits are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the union of both flags.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
