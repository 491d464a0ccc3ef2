//! NetBSD, 64 bits: `sys/sys/event.h` 1.45 (before 10, commit 002a0307) and 1.54 (10), `<sys/time.h>`.

use std::mem::{offset_of, size_of};

published! {
    size_of::<libc::timespec>(), 16, "sys/timespec.h: seconds and nanoseconds, 64 bits each";
    size_of::<libc::itimerval>(), 32, "sys/time.h";
    size_of::<libc::kevent>(), 40, "sys/event.h 1.45: the version of the call that libc links, __kevent50";
    offset_of!(libc::kevent, data), 24, "sys/event.h 1.45: int64_t after 32 bits each of filter, flags and fflags";
    libc::EVFILT_TIMER, 6, "sys/event.h 1.45";
    libc::NOTE_MSECONDS, 0x0, "sys/event.h 1.54: numbers, not bits";
    libc::NOTE_SECONDS, 0x1, "sys/event.h 1.54";
    libc::NOTE_USECONDS, 0x2, "sys/event.h 1.54";
    libc::NOTE_NSECONDS, 0x3, "sys/event.h 1.54";
    libc::NOTE_ABSTIME, 0x10, "sys/event.h 1.54";
}
