//! `DragonFly`, 64 bits: `sys/sys/event.h` 1.5 (commit 005f09fe) and `sys/sys/time.h`; `sys/kern/kern_event.c` counts
//! milliseconds whatever the notes say.

use std::mem::{offset_of, size_of};

published! {
    size_of::<libc::timespec>(), 16, "sys/timespec.h: seconds and nanoseconds, 64 bits each";
    size_of::<libc::itimerval>(), 32, "sys/time.h";
    size_of::<libc::kevent>(), 32, "sys/event.h 005f09fe";
    offset_of!(libc::kevent, fflags), 12, "sys/event.h 005f09fe: after short and u_short";
    offset_of!(libc::kevent, data), 16, "sys/event.h 005f09fe: intptr_t";
    libc::EVFILT_TIMER, -7, "sys/event.h 005f09fe";
    libc::EV_ONESHOT, 0x10, "sys/event.h 005f09fe";
    libc::EV_ERROR, 0x4000, "sys/event.h 005f09fe";
    libc::CLOCK_UPTIME, 5, "sys/time.h, read";
    libc::CLOCK_UPTIME_PRECISE, 7, "sys/time.h, read";
    libc::CLOCK_UPTIME_FAST, 8, "sys/time.h, read";
    libc::CLOCK_REALTIME_PRECISE, 9, "sys/time.h, read";
    libc::CLOCK_REALTIME_FAST, 10, "sys/time.h, read";
    libc::CLOCK_MONOTONIC_PRECISE, 11, "sys/time.h, read";
    libc::CLOCK_MONOTONIC_FAST, 12, "sys/time.h, read";
    libc::CLOCK_SECOND, 13, "sys/time.h, read";
}
