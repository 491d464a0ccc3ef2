//! illumos, 64 bits: `<sys/port.h>`, `<sys/siginfo.h>`, `<sys/time_impl.h>`, `<sys/errno.h>`.

use std::mem::{offset_of, size_of};

published! {
    size_of::<libc::port_event>(), 24, "sys/port.h";
    offset_of!(libc::port_event, portev_object), 8, "sys/port.h";
    size_of::<libc::port_notify>(), 16, "sys/port.h";
    libc::SIGEV_PORT, 4, "sys/siginfo.h";
    size_of::<libc::timespec>(), 16, "sys/time_impl.h";
    size_of::<libc::itimerspec>(), 32, "sys/time_impl.h";
    libc::CLOCK_REALTIME, 3, "sys/time_impl.h: its timers count ticks";
    libc::CLOCK_MONOTONIC, 4, "sys/time_impl.h: CLOCK_HIGHRES is the same number";
    libc::ETIME, 62, "sys/errno.h";
    libc::ETIMEDOUT, 145, "sys/errno.h";
}
