//! macOS, 64 bits: xnu (`bsd/sys/event.h` of commit 1031c584, `osfmk/kern/clock_oldops.c` of e6231be0, Apple's
//! repository), its Mach headers, and libdispatch.

use crate::mach;
use std::mem::{offset_of, size_of};

published! {
    size_of::<mach::Timespec>(), 8, "mach/clock_types.h: mach_timespec, unsigned seconds and int nanoseconds";
    offset_of!(mach::Timespec, nanoseconds), 4, "mach/clock_types.h";
    mach::ABORTED, 14, "mach/kern_return.h: KERN_ABORTED";
    mach::OPERATION_TIMED_OUT, 49, "mach/kern_return.h of xnu, read: KERN_OPERATION_TIMED_OUT";
    size_of::<libc::kevent>(), 32, "xnu 1031c584, bsd/sys/event.h: packed to 4";
    offset_of!(libc::kevent, fflags), 12, "xnu 1031c584, bsd/sys/event.h";
    offset_of!(libc::kevent, data), 16, "xnu 1031c584, bsd/sys/event.h: intptr_t";
    size_of::<libc::kevent64_s>(), 48, "xnu 1031c584, bsd/sys/event.h";
    offset_of!(libc::kevent64_s, fflags), 12, "xnu 1031c584, bsd/sys/event.h";
    offset_of!(libc::kevent64_s, data), 16, "xnu 1031c584, bsd/sys/event.h: int64_t";
    offset_of!(libc::kevent64_s, ext), 32, "xnu 1031c584, bsd/sys/event.h: ext[1] is the leeway";
    libc::EVFILT_TIMER, -7, "xnu 1031c584, bsd/sys/event.h";
    libc::EV_ADD, 0x1, "xnu 1031c584, bsd/sys/event.h";
    libc::EV_DELETE, 0x2, "xnu 1031c584, bsd/sys/event.h";
    libc::EV_ONESHOT, 0x10, "xnu 1031c584, bsd/sys/event.h";
    libc::EV_ERROR, 0x4000, "xnu 1031c584, bsd/sys/event.h";
    libc::NOTE_SECONDS, 0x1, "xnu 1031c584, bsd/sys/event.h: a bit; none is milliseconds";
    libc::NOTE_USECONDS, 0x2, "xnu 1031c584, bsd/sys/event.h";
    libc::NOTE_NSECONDS, 0x4, "xnu 1031c584, bsd/sys/event.h";
    libc::NOTE_ABSOLUTE, 0x8, "xnu 1031c584, bsd/sys/event.h: gettimeofday's epoch";
    libc::NOTE_LEEWAY, 0x10, "xnu 1031c584, bsd/sys/event.h";
    libc::NOTE_CRITICAL, 0x20, "xnu 1031c584, bsd/sys/event.h";
    libc::NOTE_BACKGROUND, 0x40, "xnu 1031c584, bsd/sys/event.h";
    libc::NOTE_MACHTIME, 0x100, "xnu 1031c584, bsd/sys/event.h";
    size_of::<libc::thread_time_constraint_policy_data_t>(), 16, "mach/thread_policy.h: four integers, in ticks";
    libc::THREAD_TIME_CONSTRAINT_POLICY_COUNT, 4, "mach/thread_policy.h";
    libc::THREAD_TIME_CONSTRAINT_POLICY, 2, "mach/thread_policy.h";
    libc::THREAD_STANDARD_POLICY, 1, "mach/thread_policy.h of xnu, read: no parameters, a count of 0";
    libc::CLOCK_UPTIME_RAW, 8, "time.h, read: mach_absolute_time in nanoseconds";
    libc::CLOCK_MONOTONIC_RAW, 4, "time.h, read";
    libc::CLOCK_MONOTONIC_RAW_APPROX, 5, "time.h, read";
    size_of::<libc::timespec>(), 16, "sys/_types/_timespec.h";
    libc::ETIMEDOUT, 60, "sys/errno.h";
}
