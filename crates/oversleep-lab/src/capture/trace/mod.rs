//! Sleeps with the kernel's own account of them.
//!
//! [`run`] sleeps on the calling thread, in blocks that are traced and untraced by turns, with the best of four
//! tiers that this machine and user allow. What was recorded goes into the recording as it is.

mod late;
mod live;
mod sleeper;
mod witness;

pub use live::{Settings, pairs, refusal, run};
