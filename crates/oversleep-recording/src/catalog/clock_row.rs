//! The types of a clock's row.

use super::System;
use crate::names;

/// One clock: its name, what it counts, and what may change it.
#[derive(Debug)]
pub struct ClockRow {
    /// Identifier in code.
    pub id: super::ClockId,
    /// Name on the command line and in files, in kebab-case.
    pub name: &'static str,
    /// Call that reads it, as the system's documentation writes it.
    pub call: &'static str,
    /// Systems that have it.
    pub systems: &'static [System],
    /// Quantity that it counts.
    pub counts: ClockQuantity,
    /// How time synchronisation (NTP, PTP, `adjtime`) changes it.
    pub steered: Steered,
    /// Whether it continues while the machine is suspended.
    pub suspend: Suspend,
    /// Whether its documentation allows a later reading below an earlier one.
    pub backwards: Backwards,
    /// Address of the documentation.
    pub source: &'static str,
}

names! {
    /// The quantity that a clock counts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ClockQuantity {
        /// Time since a fixed point, usually the boot.
        Elapsed = "elapsed time",
        /// Wall-clock time, UTC.
        Wall = "wall-clock time",
        /// Atomic time: wall-clock time without leap seconds.
        Atomic = "atomic time",
        /// Time this thread has run on a processor.
        ThreadCpu = "CPU time of the thread",
        /// Time all threads of this process have run on processors.
        ProcessCpu = "CPU time of the process",
        /// Cycles of a processor's counter.
        Cycles = "counter cycles",
    }

    /// How time synchronisation changes a clock.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Steered {
        /// Not at all.
        No = "no",
        /// In its rate only.
        Rate = "rate",
        /// In its rate, and by setting it.
        RateAndSteps = "rate, steps",
    }

    /// The behaviour of a clock while the machine is suspended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Suspend {
        /// The clock stops.
        Stops = "stops",
        /// The clock continues.
        Counts = "counts",
        /// It depends on the system or the processor.
        Varies = "varies",
    }

    /// Whether, and when, a clock may go backwards.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Backwards {
        /// Its documentation rules it out.
        Never = "never",
        /// When the clock is set.
        WhenSet = "when set",
        /// Between two processors, or where reads are not ordered with other instructions.
        AcrossCpus = "across CPUs",
    }
}

impl ClockQuantity {
    /// Returns whether it counts processor time rather than elapsed time. Such a clock has no drift, and
    /// its readings on two threads are not meant to agree.
    pub const fn is_cpu_time(self) -> bool {
        matches!(self, Self::ThreadCpu | Self::ProcessCpu)
    }
}
