//! `DragonFly`, 64 bits: `<sys/event.h>` and `<sys/_clock_id.h>` of 6.

use std::mem::{offset_of, size_of};

published! {
    size_of::<libc::timespec>(), 16, "sys/timespec.h: seconds and nanoseconds, 64 bits each";
    size_of::<libc::itimerval>(), 32, "sys/time.h";
    size_of::<libc::kevent>(), 32, "sys/event.h";
    offset_of!(libc::kevent, data), 16, "sys/event.h: intptr_t";
    libc::EVFILT_TIMER, -7, "sys/event.h";
    libc::CLOCK_SECOND, 13, "sys/_clock_id.h";
}
