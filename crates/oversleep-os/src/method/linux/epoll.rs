//! An epoll instance that watches nothing.

use oversleep_sys::Refusal;
use std::os::fd::{FromRawFd, OwnedFd};

pub(super) fn empty() -> Result<OwnedFd, Refusal> {
    // SAFETY: takes a flag and returns a descriptor or −1.
    let descriptor = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
    if descriptor < 0 {
        return Err(Refusal::last_os("epoll_create1"));
    }
    // SAFETY: new from the kernel and owned by nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}
