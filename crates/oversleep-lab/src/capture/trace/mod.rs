//! Sleeps with the kernel's own account of them.
//!
//! [`run`] sleeps on the calling thread, in blocks that are traced and untraced by turns, with the best of four
//! [`Tier`]s that this machine and user allow. Joining events to sleeps ([`join`], [`switches`], [`counters`]) is
//! plain code on values, and works on a saved trace as on a live one.

mod lateness;
mod live;
mod witness;

pub use live::{BLOCK, Options, Run, run, run_watching};
pub use oversleep_recording::trace::Tier;
pub use witness::Witness;
