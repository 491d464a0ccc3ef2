//! Measures sleeps on this machine.
//!
//! A plan's cells are grouped by conditions. Each group has its own threads, which apply the conditions once and keep
//! them until they end. Turns interleave the groups. The coordinating thread wakes to collect samples every 618 ms, or
//! as often as [`SleepRunSettings::flush_every`] says, also during turns.

mod condition_group;
mod coordinate;
mod enforce;
mod estimate;
mod load;
mod periodic;
mod probe;
mod process;
mod ring;
mod single;
mod spent;
mod worker;

pub use coordinate::Stop;
pub use coordinate::{Observer, SleepRunProgress, SleepRunSettings, run};
pub use probe::probe;
pub(crate) use {condition_group::unobtained, enforce::Enforced, load::Busy, process::ProcessWide, spent::Spent};

#[cfg(test)]
mod tests;
