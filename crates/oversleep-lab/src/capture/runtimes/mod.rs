//! Programs that sleep in our place: the timers of language runtimes, and any command that speaks the protocol of probes
//! (docs/RUNTIMES.md).
//!
//! Each program is a process of its own that is told, a block at a time, how often to sleep how long, and prints when
//! each sleep began and ended once the block is over. Blocks of different programs take turns, and so do blocks of the
//! kernel's primitives, which a thread of ours sleeps. A program that fails says so once; the others go on.

mod launch;
mod lines;
mod native;
mod plan;
mod probe;
mod protocol;
mod run;
mod settings;
mod starter;
mod told;

pub use launch::Launch;
pub use plan::{Counts, command, judged, runtimes};
pub use run::run;
pub use settings::{Progress, Settings};
