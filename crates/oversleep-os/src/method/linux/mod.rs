//! Methods that only Linux has.

mod epoll;
mod io_uring;
mod io_uring_timeout;
mod timerfd;

use super::posix::probe::probed;
use super::posix::sleeps::{absolute, relative};
use super::posix::{span, woken_by_errno};
use super::{MethodEntry, Woken, call};
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::ptr;

pub(super) static ENTRIES: &[MethodEntry] = &[
    BOOTTIME,
    ABS_BOOTTIME,
    TAI,
    ABS_TAI,
    epoll::WAIT,
    epoll::PWAIT2,
    timerfd::ENTRY,
    timerfd::ABS,
    timerfd::PERIODIC,
    FUTEX_WAIT,
    io_uring_timeout::ENTRY,
];

const BOOTTIME: MethodEntry = MethodEntry::new(MethodId::ClockNanosleepBoottime, || {
    let waiter = relative::<{ libc::CLOCK_BOOTTIME }>(TimerClock::Boottime);
    probed("clock_nanosleep(CLOCK_BOOTTIME)", waiter)
});

const ABS_BOOTTIME: MethodEntry = MethodEntry::new(MethodId::ClockNanosleepAbsBoottime, || {
    let waiter = absolute::<{ libc::CLOCK_BOOTTIME }>(TimerClock::Boottime);
    probed("clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME)", waiter)
});

const TAI: MethodEntry = MethodEntry::new(MethodId::ClockNanosleepTai, || {
    let waiter = relative::<{ libc::CLOCK_TAI }>(TimerClock::Tai);
    probed("clock_nanosleep(CLOCK_TAI)", waiter)
});

const ABS_TAI: MethodEntry = MethodEntry::new(MethodId::ClockNanosleepAbsTai, || {
    let waiter = absolute::<{ libc::CLOCK_TAI }>(TimerClock::Tai);
    probed("clock_nanosleep(CLOCK_TAI, TIMER_ABSTIME)", waiter)
});

const FUTEX_WAIT: MethodEntry = MethodEntry::new(MethodId::FutexWait, || {
    let word = Box::new(0_u32);
    let waiter = call(span, move |request| {
        // SAFETY: the word is aligned, ours, and zero as the call expects; the time outlives the call.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_futex,
                &raw const *word,
                libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
                0_u32,
                ptr::from_ref(request),
            )
        };
        // 0 is a spurious wake-up, which the manual page allows.
        if answer == 0 { Woken::Interrupted } else { woken_by_errno() }
    });
    probed("futex", waiter)
});
