//! Parts of POSIX waits: the structure in which a request is passed, and the absolute sleep.

#[cfg(not(any(target_vendor = "apple", target_os = "openbsd")))]
pub mod clock_nanosleep;
mod timespec;

pub use timespec::timespec;
