//! Calls that sleep and do nothing else, and `sched_yield`, the zero-length sleep of polling loops.

#[cfg(has = "clock_nanosleep")]
use super::probe::probed;
use super::{span, woken_by_errno};
#[cfg(has = "clock_nanosleep")]
use crate::method::Waiter;
use crate::method::{MethodEntry, Request, Woken, call};
use oversleep_recording::catalog::{MethodId, TimerClock};
#[cfg(has = "clock_nanosleep")]
use oversleep_sys::posix::{clock_nanosleep, timespec};
use std::ptr;

pub(super) const NANOSLEEP: MethodEntry = MethodEntry::new(MethodId::Nanosleep, || {
    Ok(Box::new(call(span, |request| {
        // SAFETY: the request outlives the call; a null remainder is allowed.
        if unsafe { libc::nanosleep(request, ptr::null_mut()) } == 0 { Woken::TimedOut } else { woken_by_errno() }
    })))
});

/// At most 2³² − 1 µs, 71 minutes. POSIX allowed `usleep` to reject a second or more; such a system returns `EINVAL`.
pub(super) const USLEEP: MethodEntry = MethodEntry::new(MethodId::Usleep, || {
    let microseconds = |request: Request| -> libc::c_uint {
        let duration = MethodId::Usleep.row().rounded(request.duration(TimerClock::Monotonic));
        (duration.get() / 1_000).try_into().unwrap_or(libc::c_uint::MAX)
    };
    Ok(Box::new(call(microseconds, |microseconds| {
        // SAFETY: takes a number, touches no memory of ours.
        if unsafe { libc::usleep(*microseconds) } == 0 { Woken::TimedOut } else { woken_by_errno() }
    })))
});

/// The call takes no time, so the request is ignored.
pub(super) const SCHED_YIELD: MethodEntry = MethodEntry::new(MethodId::SchedYield, || {
    Ok(Box::new(call(drop, |()| {
        // SAFETY: takes nothing and touches no memory of ours.
        if unsafe { libc::sched_yield() } == 0 { Woken::TimedOut } else { woken_by_errno() }
    })))
});

/// Returns a `clock_nanosleep` for a duration. Its clock is a constant, so that the timed call needs no branch on it.
#[cfg(has = "clock_nanosleep")]
pub(in crate::method) fn relative<const CLOCK: libc::clockid_t>(clock: TimerClock) -> impl Waiter {
    call(
        move |request: Request| timespec(request.duration(clock)),
        |request| {
            // SAFETY: the request outlives the call; a null remainder is allowed.
            let answer = unsafe { libc::clock_nanosleep(CLOCK, 0, request, ptr::null_mut()) };
            if answer == 0 { Woken::TimedOut } else { super::woken_by(answer) }
        },
    )
}

/// Returns a `clock_nanosleep` until a time.
#[cfg(has = "clock_nanosleep")]
pub(in crate::method) fn absolute<const CLOCK: libc::clockid_t>(clock: TimerClock) -> impl Waiter {
    call(
        move |request: Request| timespec(request.deadline(clock)),
        |deadline| match clock_nanosleep::until(CLOCK, deadline) {
            0 => Woken::TimedOut,
            error => super::woken_by(error),
        },
    )
}

#[cfg(has = "clock_nanosleep")]
pub(super) const CLOCK_NANOSLEEP: [MethodEntry; 4] = [
    MethodEntry::new(MethodId::ClockNanosleep, || {
        Ok(Box::new(relative::<{ libc::CLOCK_MONOTONIC }>(TimerClock::Monotonic)))
    }),
    MethodEntry::new(MethodId::ClockNanosleepAbs, || {
        Ok(Box::new(absolute::<{ libc::CLOCK_MONOTONIC }>(TimerClock::Monotonic)))
    }),
    MethodEntry::new(MethodId::ClockNanosleepRealtime, || {
        probed("clock_nanosleep(CLOCK_REALTIME)", relative::<{ libc::CLOCK_REALTIME }>(TimerClock::Monotonic))
    }),
    MethodEntry::new(MethodId::ClockNanosleepAbsRealtime, || {
        probed("clock_nanosleep(CLOCK_REALTIME)", absolute::<{ libc::CLOCK_REALTIME }>(TimerClock::Realtime))
    }),
];
