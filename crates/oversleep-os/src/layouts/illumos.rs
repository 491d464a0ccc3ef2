//! illumos, 64 bits: `usr/src/uts/common/sys/port.h` (commit 12ef7bd6), `time_impl.h` (10b5e680), `siginfo.h` and
//! `errno.h` of illumos-gate.

use std::mem::{offset_of, size_of};

published! {
    size_of::<libc::port_event>(), 24, "sys/port.h 12ef7bd6";
    offset_of!(libc::port_event, portev_object), 8, "sys/port.h 12ef7bd6";
    offset_of!(libc::port_event, portev_user), 16, "sys/port.h 12ef7bd6";
    size_of::<libc::port_notify>(), 16, "sys/port.h 12ef7bd6";
    offset_of!(libc::port_notify, portnfy_user), 8, "sys/port.h 12ef7bd6";
    offset_of!(libc::itimerspec, it_value), 16, "sys/time_impl.h 10b5e680: the interval comes first";
    libc::SIGEV_PORT, 4, "sys/siginfo.h, read";
    size_of::<libc::timespec>(), 16, "sys/time_impl.h 10b5e680";
    size_of::<libc::itimerspec>(), 32, "sys/time_impl.h 10b5e680";
    libc::CLOCK_REALTIME, 3, "sys/time_impl.h 10b5e680: its timers count ticks";
    libc::CLOCK_MONOTONIC, 4, "sys/time_impl.h 10b5e680: CLOCK_HIGHRES is the same number";
    libc::ETIME, 62, "sys/errno.h";
    libc::ETIMEDOUT, 145, "sys/errno.h";
}
