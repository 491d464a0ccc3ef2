//! macOS, 64 bits: headers of xnu-10063 and libdispatch-1462.

use oversleep_sys::mach;
use std::mem::{offset_of, size_of};

published! {
    size_of::<mach::Timespec>(), 8, "mach/clock_types.h: mach_timespec, unsigned seconds and int nanoseconds";
    offset_of!(mach::Timespec, nanoseconds), 4, "mach/clock_types.h";
    mach::ABORTED, 14, "mach/kern_return.h: KERN_ABORTED";
    mach::OPERATION_TIMED_OUT, 49, "mach/kern_return.h: KERN_OPERATION_TIMED_OUT";
    size_of::<libc::kevent>(), 32, "sys/event.h";
    size_of::<libc::kevent64_s>(), 48, "sys/event.h";
    offset_of!(libc::kevent64_s, data), 16, "sys/event.h";
    offset_of!(libc::kevent64_s, ext), 32, "sys/event.h: ext[1] is the leeway";
    libc::EVFILT_TIMER, -7, "sys/event.h";
    libc::NOTE_NSECONDS, 0x4, "sys/event.h";
    libc::NOTE_ABSOLUTE, 0x8, "sys/event.h";
    libc::NOTE_LEEWAY, 0x10, "sys/event.h";
    libc::NOTE_CRITICAL, 0x20, "sys/event.h";
    libc::NOTE_MACHTIME, 0x100, "sys/event.h";
    size_of::<libc::thread_time_constraint_policy_data_t>(), 16, "mach/thread_policy.h: four integers, in ticks";
    libc::THREAD_TIME_CONSTRAINT_POLICY_COUNT, 4, "mach/thread_policy.h";
    libc::THREAD_TIME_CONSTRAINT_POLICY, 2, "mach/thread_policy.h";
    libc::THREAD_STANDARD_POLICY, 1, "mach/thread_policy.h";
    libc::CLOCK_UPTIME_RAW, 8, "time.h: mach_absolute_time in nanoseconds";
    libc::CLOCK_MONOTONIC_RAW, 4, "time.h";
    libc::CLOCK_MONOTONIC_RAW_APPROX, 5, "time.h";
    size_of::<libc::timespec>(), 16, "sys/_types/_timespec.h";
    libc::ETIMEDOUT, 60, "sys/errno.h";
}
