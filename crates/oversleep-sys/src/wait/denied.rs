//! A substitute where the system refuses to wait: a sandbox can deny a call (`EPERM` or `ENOSYS` from a seccomp
//! filter).

use std::ptr;

/// Waits for a millisecond by another call than the one refused. If that one is refused too, it returns at once and
/// callers read the clock until their deadline: not cheap, but never early and never a panic, which is what
/// `std::thread::sleep` would do.
#[cold]
pub(super) fn let_a_millisecond_pass() {
    // SAFETY: no descriptors, so none are read.
    unsafe { libc::poll(ptr::null_mut(), 0, 1) };
}
