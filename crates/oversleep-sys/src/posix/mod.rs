//! Parts of POSIX waits: the structures in which a request is passed, and the absolute sleep.

#[cfg(not(any(target_os = "macos", target_os = "openbsd")))]
pub mod clock_nanosleep;
mod timespec;

pub use timespec::{milliseconds, timespec, timeval};
