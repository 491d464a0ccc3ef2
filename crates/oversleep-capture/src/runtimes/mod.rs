//! Programs that sleep in our place: the timers of language runtimes, and any command that speaks the protocol of probes
//! (docs/RUNTIMES.md).
//!
//! Each program is a process that is told, one block at a time, how many sleeps to make and how long. After the block
//! it prints when each sleep began and ended. Blocks of different programs take turns, also with blocks of the kernel's
//! primitives, which sleep on a thread of this process. A program that fails is noted once; the others go on.

mod build;
mod call_recorder;
mod folder;
mod launch;
mod native;
mod output;
mod output_lines;
mod plan;
mod probe;
mod probe_starter;
mod protocol;
mod run;
mod runtime_turns;
mod settings;

pub use folder::remove_folders;
pub use launch::Launch;
pub use output::count_rows;
pub use plan::{SleepCounts, command, judged, runtimes};
pub use run::run;
pub use settings::{ProbeRunProgress, ProbeRunSettings, StartError, Starts};
