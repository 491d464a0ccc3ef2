//! Sleeps with the kernel's own account of them.
//!
//! [`run`] sleeps on the calling thread, in blocks that are traced and untraced by turns, with the best of four
//! [`Tier`]s that this machine and user allow. Joining events to sleeps ([`join`], [`switches`], [`counters`]) is
//! plain code on values, and works on a saved trace as on a live one.

pub mod counters;
pub mod join;
mod lateness;
mod live;
mod slack;
mod sleep;
pub mod switches;
mod tier;
mod timeline;

pub use live::{BLOCK, Options, Run, run, run_watching};
pub use slack::expected as expected_slack;
pub use sleep::Slept;
pub use tier::{Tier, Witness};
pub use timeline::Timeline;

#[cfg(test)]
mod tests;
