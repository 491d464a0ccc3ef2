//! Settings and progress of a run of probes.

use crate::capture::sleeps::Stop;
use oversleep_sys::units::Nanos;

/// Settings of a run.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Handle that ends the run early.
    pub stop: Stop,
    /// Duration after which the run ends.
    pub time_limit: Option<Nanos>,
    /// Number of sleeps of each probe before its first sample.
    pub warm_up: u64,
    /// Number of sleeps of each probe and request, after its last sample, whose system calls are recorded.
    pub traced: u64,
}

/// Progress of a run.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Number of turns completed.
    pub turns_done: usize,
    /// Number of turns planned.
    pub turns_planned: usize,
    /// Method that sleeps next.
    pub next: &'a str,
    /// Time since the first turn.
    pub elapsed: Nanos,
}
