//! FreeBSD, 64 bits: `sys/sys/event.h` from 12 on, `sys/sys/_clock_id.h` of 13 and later, `<sys/time.h>`.

use std::mem::{offset_of, size_of};

published! {
    size_of::<libc::timespec>(), 16, "sys/timespec.h: seconds and nanoseconds, 64 bits each";
    size_of::<libc::itimerval>(), 32, "sys/time.h";
    size_of::<libc::kevent>(), 64, "FreeBSD 12, sys/event.h: since then with ext[4]";
    offset_of!(libc::kevent, data), 16, "FreeBSD 12, sys/event.h: int64_t";
    libc::EVFILT_TIMER, -7, "sys/event.h";
    libc::NOTE_SECONDS, 0x1, "sys/event.h of 12 and later, read: a bit; none is milliseconds";
    libc::NOTE_MSECONDS, 0x2, "sys/event.h of 12 and later, read";
    libc::NOTE_USECONDS, 0x4, "sys/event.h of 12 and later, read";
    libc::NOTE_NSECONDS, 0x8, "sys/event.h of 12 and later, read";
    libc::NOTE_ABSTIME, 0x10, "sys/event.h of 12 and later, read: the wall clock";
    libc::CLOCK_UPTIME, 5, "sys/_clock_id.h, read";
    libc::CLOCK_UPTIME_PRECISE, 7, "sys/_clock_id.h, read";
    libc::CLOCK_UPTIME_FAST, 8, "sys/_clock_id.h, read";
    libc::CLOCK_REALTIME_PRECISE, 9, "sys/_clock_id.h, read";
    libc::CLOCK_REALTIME_FAST, 10, "sys/_clock_id.h, read";
    libc::CLOCK_MONOTONIC_PRECISE, 11, "sys/_clock_id.h, read";
    libc::CLOCK_MONOTONIC_FAST, 12, "sys/_clock_id.h, read";
    libc::CLOCK_SECOND, 13, "sys/_clock_id.h, read";
}
