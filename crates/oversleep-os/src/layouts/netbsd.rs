//! NetBSD, 64 bits: `<sys/event.h>` of 9 and 10, `<sys/time.h>`.

use std::mem::{offset_of, size_of};

published! {
    size_of::<libc::timespec>(), 16, "sys/timespec.h: seconds and nanoseconds, 64 bits each";
    size_of::<libc::itimerval>(), 32, "sys/time.h";
    size_of::<libc::kevent>(), 40, "NetBSD 5 to 9, sys/event.h: the version of the call that libc links, __kevent50";
    offset_of!(libc::kevent, data), 24, "NetBSD 9, sys/event.h: after 32 bits each of filter, flags and fflags";
    libc::EVFILT_TIMER, 6, "sys/event.h";
    libc::NOTE_NSECONDS, 0x3, "NetBSD 10, sys/event.h: a number, not a bit";
    libc::NOTE_ABSTIME, 0x10, "NetBSD 10, sys/event.h";
}
