//! Sleeps later than allowed, caught while a run goes on: which, why, and what was in the trace around them.
//!
//! [`Watch`] looks at samples where they are collected, never on a sleeper's thread; what it costs there is a
//! comparison. It gives [`Finding`]s; acting on them (a mark, a stop, a command) is the caller's business.

mod account;
mod excerpt;
mod explain;
mod finding;
mod threads;
mod watch;

pub use account::Account;
pub use excerpt::excerpt;
pub use explain::{cause, sentence};
pub use finding::{Finding, finding};
pub use watch::{Rule, Watch};

#[cfg(test)]
mod tests;
