//! `clock_nanosleep` on clocks that are not in POSIX: boot time and atomic time.
//!
//! Probed when opened: a kernel that lacks a clock, or cannot sleep on it, returns `EINVAL` or
//! `EOPNOTSUPP`.

use crate::method::MethodEntry;
use crate::method::posix::probe::probed;
use crate::method::posix::sleeps::{absolute, relative};
use oversleep_recording::catalog::{MethodId, TimerClock};

pub(super) const BOOTTIME: MethodEntry = MethodEntry::new(MethodId::ClockNanosleepBoottime, || {
    let waiter = relative::<{ libc::CLOCK_BOOTTIME }>(TimerClock::Boottime);
    probed("clock_nanosleep(CLOCK_BOOTTIME)", waiter)
});

pub(super) const ABS_BOOTTIME: MethodEntry = MethodEntry::new(MethodId::ClockNanosleepAbsBoottime, || {
    let waiter = absolute::<{ libc::CLOCK_BOOTTIME }>(TimerClock::Boottime);
    probed("clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME)", waiter)
});

pub(super) const TAI: MethodEntry = MethodEntry::new(MethodId::ClockNanosleepTai, || {
    let waiter = relative::<{ libc::CLOCK_TAI }>(TimerClock::Tai);
    probed("clock_nanosleep(CLOCK_TAI)", waiter)
});

pub(super) const ABS_TAI: MethodEntry = MethodEntry::new(MethodId::ClockNanosleepAbsTai, || {
    let waiter = absolute::<{ libc::CLOCK_TAI }>(TimerClock::Tai);
    probed("clock_nanosleep(CLOCK_TAI, TIMER_ABSTIME)", waiter)
});
