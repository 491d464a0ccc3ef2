//! What POSIX waits are made of: the structures a request is passed in, and the absolute sleep.

#[cfg(not(any(target_os = "macos", target_os = "openbsd")))]
pub mod clock_nanosleep;
mod timespec;

pub use timespec::{milliseconds, timespec, timeval};
