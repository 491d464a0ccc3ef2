//! What a run of probes is told, and what it tells while it lasts.

use crate::capture::sleeps::Stop;
use oversleep_sys::units::Nanos;

/// How a plan is carried out.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Ends the run early when told to.
    pub stop: Stop,
    /// Ends the run when it has lasted this long.
    pub time_limit: Option<Nanos>,
    /// Sleeps of each probe before its first sample.
    pub warm_up: u64,
    /// Sleeps of each probe and request, after its last sample, whose system calls are recorded.
    pub traced: u64,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Turns slept.
    pub turns_done: usize,
    /// Turns planned.
    pub turns_planned: usize,
    /// What sleeps next.
    pub next: &'a str,
    /// Time since the first turn.
    pub elapsed: Nanos,
}
