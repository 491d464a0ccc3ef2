//! Linux, 64 bits: headers of Linux 6.18 under `include/uapi`.

use std::mem::{offset_of, size_of};

published! {
    size_of::<libc::timespec>(), 16, "linux/time_types.h: __kernel_timespec";
    size_of::<libc::itimerspec>(), 32, "linux/time_types.h: interval first, then value";
    offset_of!(libc::itimerspec, it_value), 16, "linux/time_types.h";
    libc::TFD_TIMER_ABSTIME, 1, "linux/timerfd.h";
    libc::TIMER_ABSTIME, 1, "linux/time.h";
    libc::CLOCK_TAI, 11, "linux/time.h";
    libc::CLOCK_BOOTTIME, 7, "linux/time.h";
    libc::SIGEV_THREAD_ID, 4, "asm-generic/siginfo.h";
    libc::PR_SET_TIMERSLACK, 29, "linux/prctl.h: nanoseconds";
    libc::FUTEX_WAIT, 0, "linux/futex.h: a duration, nanoseconds";
}
