//! Sleeps later than allowed, caught while a run goes on: which, and what was recorded around them.
//!
//! [`Watch`] looks at samples where they are collected, never on a sleeper's thread; what it costs there is a
//! comparison. It gives [`oversleep_recording::LateSleep`]s; naming what they come from and acting on them (a mark, a
//! stop, a command) is the caller's business.

mod account;
mod fact;
mod threads;
mod watch;

pub use account::Account;
pub(in crate::capture) use fact::{AFTER, fact, since};
pub use watch::{Rule, Watch};

#[cfg(test)]
mod tests;
