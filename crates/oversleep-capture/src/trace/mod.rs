//! Sleeps with the kernel's own record of them.
//!
//! [`run`] sleeps on the calling thread, in blocks that are traced and untraced in turns, with the best of four tiers
//! that this machine and user allow. The events go into the recording as they were recorded.

mod live;
mod sleeper;
mod thread_tracers;

pub use live::{TraceRunSettings, pairs, refusal, run};
