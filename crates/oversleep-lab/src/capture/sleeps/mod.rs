//! The machine itself, measured.
//!
//! A plan's cells are grouped by condition; each group has its own threads, which put the condition on
//! themselves once, keep it for the whole run and take it with them when they end. Turns interleave the groups.
//! The thread that coordinates wakes once a second to collect samples, and never while a turn of less than a
//! second is being slept.

mod coordinate;
mod enforce;
mod estimate;
mod group;
mod load;
mod periodic;
mod probe;
mod process;
mod ring;
mod single;
mod stop;
mod warm;
mod worker;

pub use coordinate::{Observer, Progress, Settings, run};
pub use probe::probe;
pub use stop::Stop;
pub(in crate::capture) use {enforce::Enforced, group::unobtained, load::Busy, process::ProcessWide};

#[cfg(test)]
mod tests;
