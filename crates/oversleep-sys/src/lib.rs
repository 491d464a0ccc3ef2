//! Clocks and waits of the operating system, and the few facts about a thread that a wait needs.
//!
//! This is all that the sleep library (`oversleep`) depends on:
//!
//! * [`units`]: times, rates and ratios as types;
//! * [`clock`]: the clocks that sleeps are timed with, read directly;
//! * [`wait`]: the coarse and the fine wait of which a precise sleep consists;
//! * [`affinity`]: the processors of a thread, for a control sleeper on each;
//! * `timer_slack`, `sched_attr`, `posix`, `mach`: the calls and structures behind them, where a system has them.
//!
//! Together with `oversleep-os` it is the only crate that names platforms or contains `unsafe` code. Whatever is only
//! measured, changed for a measurement or reported (other clocks, policies, affinity, facts about the machine, kernel
//! traces) is not here but in `oversleep-os`.
#![allow(unsafe_code)]
// Counters and flags change their sign bit for bit, as `cast_signed` does, which the oldest supported compiler lacks.
#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]

#[cfg(any(target_family = "wasm", not(any(unix, windows))))]
compile_error!(
    "oversleep sleeps with the timers of a Unix system or of Windows, which this target lacks. In a browser use \
     setTimeout or requestAnimationFrame (crate gloo-timers), under WASI std::thread::sleep."
);

#[cfg(all(any(unix, windows), not(target_family = "wasm")))]
pub mod affinity;
#[cfg(all(any(unix, windows), not(target_family = "wasm")))]
pub mod clock;
#[cfg(target_vendor = "apple")]
pub mod mach;
#[cfg(all(unix, not(target_family = "wasm")))]
pub mod posix;
mod refusal;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub mod sched_attr;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub mod timer_slack;
pub mod units;
#[cfg(all(any(unix, windows), not(target_family = "wasm")))]
pub mod wait;

pub use refusal::Refusal;
