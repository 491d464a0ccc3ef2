//! The words a clock's row is written in.

use crate::system::System;

/// One clock: what it is called, what it counts, what may happen to it.
#[derive(Debug)]
pub struct ClockRow {
    /// Its identity in code.
    pub id: super::ClockId,
    /// Its name on the command line and in files, in kebab-case.
    pub name: &'static str,
    /// The call that reads it, as the system's documentation writes it.
    pub call: &'static str,
    /// The systems that have it.
    pub systems: &'static [System],
    /// What it counts.
    pub counts: Counts,
    /// Whether time synchronisation (NTP, PTP, `adjtime`) changes it.
    pub steered: Steered,
    /// Whether it goes on while the machine is suspended.
    pub suspend: Suspend,
    /// Whether its documentation allows a later reading below an earlier one.
    pub backwards: Backwards,
    /// Where that is documented.
    pub source: &'static str,
}

/// What a clock counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counts {
    /// Time since some fixed point, usually the boot.
    Elapsed,
    /// Wall-clock time, UTC.
    Wall,
    /// Atomic time: wall-clock time without leap seconds.
    Atomic,
    /// Time this thread has run on a processor.
    ThreadCpu,
    /// Time all threads of this process have run on processors.
    ProcessCpu,
    /// Cycles of a processor's counter.
    Cycles,
}

impl Counts {
    /// Returns the name as a person writes it in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Elapsed => "elapsed time",
            Self::Wall => "wall-clock time",
            Self::Atomic => "atomic time",
            Self::ThreadCpu => "CPU time of the thread",
            Self::ProcessCpu => "CPU time of the process",
            Self::Cycles => "counter cycles",
        }
    }

    /// Returns whether it counts what a thread or process used rather than what went by. Such a clock has no drift, and
    /// its readings on two threads are not meant to agree.
    pub const fn is_cpu_time(self) -> bool {
        matches!(self, Self::ThreadCpu | Self::ProcessCpu)
    }
}

/// What time synchronisation does to a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Steered {
    /// Nothing.
    No,
    /// Changes its rate, never its reading.
    Rate,
    /// Changes its rate and sets its reading.
    RateAndSteps,
}

impl Steered {
    /// Returns the name as a person writes it in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Rate => "rate",
            Self::RateAndSteps => "rate, steps",
        }
    }
}

/// What a clock does while the machine is suspended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Suspend {
    /// Stands still.
    Stops,
    /// Goes on.
    Counts,
    /// Depends on the system or the processor.
    Varies,
}

impl Suspend {
    /// Returns one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stops => "stops",
            Self::Counts => "counts",
            Self::Varies => "varies",
        }
    }
}

/// Whether a clock may go backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backwards {
    /// Its documentation rules it out.
    Never,
    /// When the time is set.
    WhenSet,
    /// Between two processors, or where reads are not ordered with other instructions.
    AcrossCpus,
}

impl Backwards {
    /// Returns the name as a person writes it in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::WhenSet => "when set",
            Self::AcrossCpus => "across CPUs",
        }
    }
}
