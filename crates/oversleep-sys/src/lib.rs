//! Clocks and waits of the operating system, and the few thread settings a wait needs.
//!
//! This is all that the sleep library (`oversleep`) depends on:
//!
//! * [`units`]: times, rates and ratios as types;
//! * [`clock`]: every clock of the system, read directly;
//! * [`wait`]: the coarse and the fine wait of which a precise sleep consists;
//! * [`settings`]: affinity, niceness, policy and timer slack of the calling thread, each restored when its guard is
//!   dropped;
//! * [`cpu`]: which processors exist, and which one a thread is on;
//! * `posix`, `windows`: the calls and structures that waits and measured methods share.
//!
//! Together with `oversleep-os` it is the only crate that names platforms or contains `unsafe` code. Methods that are
//! only measured, facts about the machine and kernel traces are not here but in `oversleep-os`.
#![allow(unsafe_code)]
// Counters and flags change their sign bit for bit, as `cast_signed` does, which the oldest supported compiler lacks.
#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]

pub mod clock;
pub mod cpu;
#[cfg(target_os = "macos")]
pub mod mach;
#[cfg(unix)]
pub mod posix;
mod refusal;
pub mod settings;
mod system;
pub mod units;
pub mod wait;
#[cfg(windows)]
pub mod windows;

pub use refusal::Refusal;
pub use system::System;
