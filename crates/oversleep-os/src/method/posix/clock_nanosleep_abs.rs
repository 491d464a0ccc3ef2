//! `clock_nanosleep` until a time on a chosen clock.

use super::probe::probed;
use super::timespec::timespec;
use crate::catalog::{MethodId, TimerClock};
use crate::method::{Entry, Request, Waiter, Woken};
use crate::units::Nanos;
use std::ptr;

pub(super) const MONOTONIC: Entry = Entry {
    id: MethodId::ClockNanosleepAbs,
    open: || Ok(Box::new(Absolute::<{ libc::CLOCK_MONOTONIC }>::new(TimerClock::Monotonic))),
};

pub(super) const REALTIME: Entry = Entry {
    id: MethodId::ClockNanosleepAbsRealtime,
    open: || probed("clock_nanosleep(CLOCK_REALTIME)", Absolute::<{ libc::CLOCK_REALTIME }>::new(TimerClock::Realtime)),
};

/// The clock is part of the type, so that no branch on it stands in the timed call.
pub(crate) struct Absolute<const CLOCK: libc::clockid_t> {
    clock: TimerClock,
    deadline: libc::timespec,
}

impl<const CLOCK: libc::clockid_t> Absolute<CLOCK> {
    pub(crate) fn new(clock: TimerClock) -> Self {
        Self { clock, deadline: timespec(Nanos::ZERO) }
    }
}

impl<const CLOCK: libc::clockid_t> Waiter for Absolute<CLOCK> {
    fn arm(&mut self, request: Request) {
        self.deadline = timespec(request.deadline(self.clock));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: the deadline outlives the call; no remainder is written for an absolute wait.
        let answer =
            unsafe { libc::clock_nanosleep(CLOCK, libc::TIMER_ABSTIME, &raw const self.deadline, ptr::null_mut()) };
        if answer == 0 { Woken::TimedOut } else { super::woken_by(answer) }
    }
}
