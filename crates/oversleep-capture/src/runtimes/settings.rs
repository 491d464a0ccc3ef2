//! Settings and progress of a run of probes.

use crate::sleeps::Stop;
use oversleep_sys::units::Nanos;
use std::io;
use std::path::PathBuf;

/// Settings of a run.
#[derive(Debug, Clone, Default)]
pub struct ProbeRunSettings {
    /// Handle that ends the run early.
    pub stop: Stop,
    /// Duration after which the run ends.
    pub time_limit: Option<Nanos>,
    /// Number of sleeps of each probe before its first sample.
    pub warm_up: u64,
    /// Number of sleeps of each probe and request, after its last sample, whose system calls are recorded.
    pub traced: u64,
    /// How long starts of programs may take.
    pub starts: Starts,
}

/// How long the programs of a runtime may take to be built, and then to introduce themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Starts {
    /// Time after which other runtimes go first.
    pub at_first: Nanos,
    /// Time after which a program has failed, if no others wait.
    pub at_last: Nanos,
}

impl Default for Starts {
    /// On two processors five virtual machines need some seconds; on a busy machine one may take most of a minute.
    fn default() -> Self {
        Self { at_first: Nanos::from_secs(10), at_last: Nanos::from_secs(60) }
    }
}

/// Reason why a run could not begin.
#[derive(Debug)]
pub enum StartError {
    /// No thread can be started.
    Thread(io::Error),
    /// No folder for scripts can be made.
    Folder {
        /// The folder in which it was to be.
        within: PathBuf,
        /// Reason.
        error: io::Error,
    },
}

impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        Self::Thread(error)
    }
}

/// Progress of a run.
#[derive(Debug, Clone, Copy)]
pub struct ProbeRunProgress<'a> {
    /// Number of turns completed.
    pub turns_done: usize,
    /// Number of turns planned.
    pub turns_planned: usize,
    /// Method that sleeps next, or that is being started.
    pub next: &'a str,
    /// Time that the sleeps to come last at least: without their lateness, and without starts of programs.
    pub left: Nanos,
    /// Time since the first turn.
    pub elapsed: Nanos,
}
