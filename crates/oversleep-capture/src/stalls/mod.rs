//! Stalls: times during which a processor does not run the thread that spins on it.
//!
//! A thread on each watched processor reads the processor's counter again and again; two readings further apart than
//! the threshold are a stall, as in `oslat`, `hwlatdetect` and `sysjitter`. Threads spin in windows, so that others get
//! the rest of the processor, and never on all processors ([`choose_cpus`]). [`detect`] is plain code on values; [`run`]
//! applies it and passes each stall to a sink, as a sample with a request of zero.

mod choose_cpus;
pub mod detect;
mod options;
mod run;
pub mod scale;
mod worker;

pub use choose_cpus::{CpuChoice, choose_cpus};
pub use options::{METHOD, StallOptions, plan};
pub use run::{StallRunProgress, run};
