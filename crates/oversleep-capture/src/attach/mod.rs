//! The timed waits of a program that nobody changed: from kernel events, or from less where these are not allowed.
//!
//! [`Joiner`] turns events into [`Wait`]s and touches nothing else; [`run`] records the events of a program, gives each
//! thread name and call a cell, and writes each wait that lasted until its time as a sample, with the events around its
//! end.

mod counted;
mod evidence;
mod join;
mod preloaded;
mod recorder;
mod request;
mod run;
#[cfg(test)]
mod tests;
mod traced;

pub use join::{Ended, Joiner, Wait};
pub use run::{AttachSettings, Target, plan, run};
