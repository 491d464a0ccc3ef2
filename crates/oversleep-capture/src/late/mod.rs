//! Detection of late sleeps while a run goes on: which sleeps were late, and what was recorded around them.
//!
//! [`Watch`] checks samples where they are collected, never on a sleeper's thread, and at the cost of one comparison
//! per sample. Where the kernel's events are not to be had, the sleepers read their counters ([`Counting`]). It returns [`oversleep_recording::LateSleep`]s; naming their causes and acting on them (a mark, a stop,
//! a command) is left to the caller.

mod counting;
mod fact;
mod sleeper_tracers;
mod watch;

pub use counting::Counting;
pub(crate) use counting::SleepCounters;
pub(crate) use fact::{AFTER, fact, since};
pub use watch::Account;
pub(crate) use watch::LatestSleeps;
pub use watch::{LateRule, Watch};

#[cfg(test)]
mod tests;
