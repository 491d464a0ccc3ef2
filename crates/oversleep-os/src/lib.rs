//! The operating system's interfaces for sleeping: methods, settings, facts about the machine, and kernel traces.
//!
//! * [`clock`]: every clock of this system; [`cpu`]: which processors exist, and which one a thread is on;
//! * [`method`]: the sleep methods of this system, each called directly, never through a wrapper;
//! * [`settings`]: settings that change how a thread sleeps, each restored when its guard is dropped;
//! * [`sysinfo`]: facts that explain how a machine sleeps, read only;
//! * [`trace`]: kernel events around a sleep, and counters where there are no events;
//! * [`process`]: child processes that leave nothing behind;
//! * [`command`]: how this system runs a command line, and whether anyone reads its output.
//!
//! Together with `oversleep-sys` it is the only crate that names platforms or contains `unsafe` code. The methods'
//! names and the types of facts are in `oversleep-recording`, which is the same on every system. This crate contains
//! nothing above a single call: no plans, no statistics, no recordings.
#![allow(unsafe_code)]
// Counters and flags change their sign bit for bit.
#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]

pub mod clock;
pub mod command;
pub mod cpu;
mod layouts;
#[cfg(target_os = "macos")]
mod mach;
pub mod method;
#[cfg(windows)]
mod procedure;
pub mod process;
pub mod program;
#[cfg(unix)]
mod requests;
pub mod settings;
pub mod shared;
pub mod sysinfo;
pub mod trace;
