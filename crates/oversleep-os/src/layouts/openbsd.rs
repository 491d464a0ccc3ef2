//! OpenBSD, 64 bits: `sys/sys/event.h` 1.74 (2025), `sys/sys/sysctl.h` 1.246 (2025).
//!
//! The units of timers, which the libc crate lacks for this system, are those of 1.74: no note means milliseconds, then
//! seconds 1, microseconds 2, nanoseconds 3, and 0x10 for a time on the wall clock.

use std::mem::{offset_of, size_of};

published! {
    size_of::<libc::timespec>(), 16, "sys/timespec.h: seconds and nanoseconds, 64 bits each";
    size_of::<libc::itimerval>(), 32, "sys/time.h";
    size_of::<libc::kevent>(), 32, "sys/event.h 1.74";
    offset_of!(libc::kevent, data), 16, "sys/event.h 1.74: int64_t";
    libc::EVFILT_TIMER, -7, "sys/event.h 1.74";
    libc::KERN_CLOCKRATE, 12, "sys/sysctl.h 1.246";
}
