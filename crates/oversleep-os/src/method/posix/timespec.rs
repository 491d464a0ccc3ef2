//! The request as POSIX structures.

use crate::units::Nanos;

/// Seconds and nanoseconds. A time too long for the system's `time_t` becomes its longest.
pub(crate) fn timespec(time: Nanos) -> libc::timespec {
    let (seconds, nanoseconds) = time.split();
    // SAFETY: all-zero is a valid timespec; some systems pad it, so it cannot be written as a literal everywhere.
    let mut spec: libc::timespec = unsafe { std::mem::zeroed() };
    spec.tv_sec = seconds.try_into().unwrap_or(libc::time_t::MAX);
    spec.tv_nsec = nanoseconds as libc::c_long;
    spec
}
