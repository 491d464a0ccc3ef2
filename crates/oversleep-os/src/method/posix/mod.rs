//! POSIX calls, wherever the system has them.

#[cfg(any(
    target_os = "linux",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "dragonfly",
    target_os = "illumos"
))]
mod clock_nanosleep_abs;
mod nanosleep;
mod timespec;

use super::{Entry, Woken};

pub(super) static ENTRIES: &[Entry] = &[
    nanosleep::ENTRY,
    #[cfg(any(
        target_os = "linux",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "dragonfly",
        target_os = "illumos"
    ))]
    clock_nanosleep_abs::ENTRY,
];

/// How a call that answered −1 ended: by a signal, or with an error.
pub(crate) fn woken_by_errno() -> Woken {
    woken_by(std::io::Error::last_os_error().raw_os_error().unwrap_or(0))
}

/// The same for a call that returns its error.
pub(crate) fn woken_by(errno: i32) -> Woken {
    if errno == libc::EINTR { Woken::Interrupted } else { Woken::Failed(errno) }
}
