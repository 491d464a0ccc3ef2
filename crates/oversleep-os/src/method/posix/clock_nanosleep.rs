//! `clock_nanosleep` for a duration on a chosen clock.

use super::probe::probed;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::ptr;

pub(super) const MONOTONIC: MethodEntry = MethodEntry {
    id: MethodId::ClockNanosleep,
    open: || Ok(Box::new(Relative::<{ libc::CLOCK_MONOTONIC }>::new(TimerClock::Monotonic))),
};

pub(super) const REALTIME: MethodEntry = MethodEntry {
    id: MethodId::ClockNanosleepRealtime,
    open: || {
        probed("clock_nanosleep(CLOCK_REALTIME)", Relative::<{ libc::CLOCK_REALTIME }>::new(TimerClock::Monotonic))
    },
};

/// The clock is part of the type, so that the timed call needs no branch on it.
pub(crate) struct Relative<const CLOCK: libc::clockid_t> {
    clock: TimerClock,
    request: libc::timespec,
}

impl<const CLOCK: libc::clockid_t> Relative<CLOCK> {
    pub(crate) fn new(clock: TimerClock) -> Self {
        Self { clock, request: timespec(Nanos::ZERO) }
    }
}

impl<const CLOCK: libc::clockid_t> Waiter for Relative<CLOCK> {
    fn prepare(&mut self, request: Request) {
        self.request = timespec(request.duration(self.clock));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: the request outlives the call; a null remainder is allowed.
        let answer = unsafe { libc::clock_nanosleep(CLOCK, 0, &raw const self.request, ptr::null_mut()) };
        if answer == 0 { Woken::TimedOut } else { super::woken_by(answer) }
    }
}
