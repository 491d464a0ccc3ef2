//! What waits where the system refuses to: a sandbox can deny a call (`EPERM` or `ENOSYS` from a seccomp filter).

use std::ptr;

/// Lets a millisecond pass by another call than the one refused. Without that one too, it returns at once and callers look
/// at the clock until their time is there: not cheap, but never early and never a panic, which is what
/// `std::thread::sleep` makes of it.
#[cold]
pub(super) fn let_a_millisecond_pass() {
    // SAFETY: no descriptors, so none are read.
    unsafe { libc::poll(ptr::null_mut(), 0, 1) };
}
