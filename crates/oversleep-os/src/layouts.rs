//! Sizes, offsets and numbers on which foreign calls rely, each with the place where it was published.
//!
//! A row that names a revision of a header, or a commit of its repository, was read there; one that names only the
//! header is from documentation and memory, and would not detect an error that the declaration shares. All are compared
//! at compile time, for every system that the code is compiled for: a declaration that differs from the system's own
//! headers fails to build even where nothing can be run.

/// Declares the rows of each system, and compares those of this one at compile time.
macro_rules! published {
    ($($on:meta { $(use { $($import:item)* })? $($what:expr, $number:expr, $source:literal;)* })*) => {
        $(#[cfg($on)]
        mod here {
            #[allow(unused_imports)] // not every system has both
            use std::mem::{offset_of, size_of};
            $($($import)*)?

            #[cfg(test)]
            pub(super) const ROWS: &[super::LayoutCheck] = &[$(super::LayoutCheck {
                what: stringify!($what),
                found: $what as i128,
                published: $number as i128,
                source: $source,
            },)*];
            $(const _: () = assert!($what as i128 == $number as i128, stringify!($what));)*
        })*

        #[cfg(all(test, not(any($($on),*))))]
        mod here {
            pub(super) const ROWS: &[super::LayoutCheck] = &[];
        }
    };
}

published! {
    // macOS, 64 bits: xnu (`bsd/sys/event.h` of commit 1031c584, `osfmk/kern/clock_oldops.c` of e6231be0, Apple's
    // repository), its Mach headers, and libdispatch.
    target_os = "macos" {
        use { use crate::mach; }
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

    // FreeBSD, 64 bits: `sys/sys/event.h` from 12 on, `sys/sys/_clock_id.h` of 13 and later, `<sys/time.h>`.
    target_os = "freebsd" {
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

    // NetBSD, 64 bits: `sys/sys/event.h` 1.45 (before 10, commit 002a0307) and 1.54 (10), `<sys/time.h>`.
    target_os = "netbsd" {
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

    // OpenBSD, 64 bits: `sys/sys/event.h` 1.74 (2025), `sys/sys/sysctl.h` 1.246 (2025).
    //
    // The units of timers, which the libc crate lacks for this system, are those of 1.74: no note means milliseconds, then
    // seconds 1, microseconds 2, nanoseconds 3, and 0x10 for a time on the wall clock.
    target_os = "openbsd" {
        size_of::<libc::timespec>(), 16, "sys/timespec.h: seconds and nanoseconds, 64 bits each";
        size_of::<libc::itimerval>(), 32, "sys/time.h";
        size_of::<libc::kevent>(), 32, "sys/event.h 1.74";
        offset_of!(libc::kevent, data), 16, "sys/event.h 1.74: int64_t";
        libc::EVFILT_TIMER, -7, "sys/event.h 1.74";
        libc::KERN_CLOCKRATE, 12, "sys/sysctl.h 1.246";
    }

    // `DragonFly`, 64 bits: `sys/sys/event.h` 1.5 (commit 005f09fe) and `sys/sys/time.h`; `sys/kern/kern_event.c` counts
    // milliseconds whatever the notes say.
    target_os = "dragonfly" {
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

    // illumos, 64 bits: `usr/src/uts/common/sys/port.h` (commit 12ef7bd6), `time_impl.h` (10b5e680), `siginfo.h` and
    // `errno.h` of illumos-gate.
    target_os = "illumos" {
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

    // Linux, 64 bits: headers of Linux 6.18 under `include/uapi`.
    all(target_os = "linux", target_pointer_width = "64") {
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

    // Windows, 64 bits: headers of the Windows SDK 10.0.22621, and Wine's `winternl.h` for what they leave out.
    all(windows, target_pointer_width = "64") {
        use {
            use windows_sys::Win32::Foundation::{ERROR_INVALID_TASK_NAME, ERROR_TIMEOUT, FILETIME};
            use windows_sys::Win32::Foundation::{WAIT_FAILED, WAIT_OBJECT_0, WAIT_TIMEOUT};
            use windows_sys::Win32::Media::{TIME_CALLBACK_EVENT_SET, TIME_ONESHOT, TIMECAPS};
            use windows_sys::Win32::Networking::WinSock::{FD_SET, TIMEVAL};
            use windows_sys::Win32::System::SystemInformation::OSVERSIONINFOW;
            use windows_sys::Win32::System::Threading as threading;
            use windows_sys::Win32::UI::WindowsAndMessaging::{MSG, USER_TIMER_MAXIMUM, USER_TIMER_MINIMUM, WM_TIMER};
        }
        size_of::<FILETIME>(), 8, "minwinbase.h: two DWORDs, counting 100 ns since 1601";
        size_of::<TIMECAPS>(), 8, "timeapi.h: two UINTs, milliseconds";
        size_of::<TIMEVAL>(), 8, "winsock2.h: two longs of 32 bits, seconds and microseconds";
        size_of::<FD_SET>(), 8 + 64 * 8, "winsock2.h: a count and FD_SETSIZE (64) sockets";
        offset_of!(FD_SET, fd_array), 8, "winsock2.h";
        size_of::<MSG>(), 48, "winuser.h";
        offset_of!(MSG, wParam), 16, "winuser.h";
        size_of::<OSVERSIONINFOW>(), 276, "winnt.h: five ULONGs and 128 WCHARs";
        size_of::<threading::PROCESS_POWER_THROTTLING_STATE>(), 12, "processthreadsapi.h: three ULONGs";
        size_of::<threading::SRWLOCK>(), 8, "winnt.h: one pointer";
        size_of::<threading::CONDITION_VARIABLE>(), 8, "winnt.h: one pointer";
        WAIT_OBJECT_0, 0, "winbase.h";
        WAIT_TIMEOUT, 258, "winerror.h";
        WAIT_FAILED, 0xFFFF_FFFF_u32, "winbase.h";
        ERROR_TIMEOUT, 1460, "winerror.h";
        ERROR_INVALID_TASK_NAME, 1550, "winerror.h";
        threading::INFINITE, 0xFFFF_FFFF_u32, "winbase.h: milliseconds that never end";
        threading::CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, 2, "synchapi.h, since 10.0.17134";
        threading::TIMER_ALL_ACCESS, 0x001F_0003, "winnt.h";
        threading::WT_EXECUTEONLYONCE, 0x8, "winnt.h";
        threading::WT_EXECUTEINTIMERTHREAD, 0x20, "winnt.h";
        threading::ProcessPowerThrottling, 4, "processthreadsapi.h: PROCESS_INFORMATION_CLASS";
        threading::PROCESS_POWER_THROTTLING_EXECUTION_SPEED, 1, "processthreadsapi.h";
        threading::PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION, 4, "processthreadsapi.h";
        threading::NORMAL_PRIORITY_CLASS, 0x20, "winbase.h";
        threading::IDLE_PRIORITY_CLASS, 0x40, "winbase.h";
        threading::HIGH_PRIORITY_CLASS, 0x80, "winbase.h";
        threading::REALTIME_PRIORITY_CLASS, 0x100, "winbase.h";
        threading::BELOW_NORMAL_PRIORITY_CLASS, 0x4000, "winbase.h";
        threading::ABOVE_NORMAL_PRIORITY_CLASS, 0x8000, "winbase.h";
        TIME_ONESHOT, 0, "timeapi.h";
        TIME_CALLBACK_EVENT_SET, 0x10, "timeapi.h: the callback is an event's handle";
        USER_TIMER_MINIMUM, 0x0A, "winuser.h: milliseconds";
        USER_TIMER_MAXIMUM, 0x7FFF_FFFF, "winuser.h: milliseconds";
        WM_TIMER, 0x0113, "winuser.h";
    }
}

/// A size, offset or constant of ours, and the published number that it must equal.
#[cfg(test)]
struct LayoutCheck {
    what: &'static str,
    found: i128,
    published: i128,
    source: &'static str,
}

#[cfg(test)]
mod tests {
    use super::here::ROWS;

    #[test]
    fn every_number_is_the_published_one() {
        if ROWS.is_empty() {
            println!("skipped: no numbers are published for this system");
        }
        for row in ROWS {
            println!("{} = {} ({})", row.what, row.found, row.source);
            assert_eq!(row.found, row.published, "{}: {}", row.what, row.source);
            assert!(!row.source.is_empty(), "{} has no source", row.what);
        }
    }
}
