//! `clock_nanosleep` until a time on a chosen clock.

use super::probe::probed;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::{clock_nanosleep, timespec};
use oversleep_sys::units::Nanos;

pub(super) const MONOTONIC: MethodEntry = MethodEntry {
    id: MethodId::ClockNanosleepAbs,
    open: || Ok(Box::new(Absolute::<{ libc::CLOCK_MONOTONIC }>::new(TimerClock::Monotonic))),
};

pub(super) const REALTIME: MethodEntry = MethodEntry {
    id: MethodId::ClockNanosleepAbsRealtime,
    open: || probed("clock_nanosleep(CLOCK_REALTIME)", Absolute::<{ libc::CLOCK_REALTIME }>::new(TimerClock::Realtime)),
};

/// The clock is part of the type, so that the timed call needs no branch on it.
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
    fn prepare(&mut self, request: Request) {
        self.deadline = timespec(request.deadline(self.clock));
    }

    #[inline]
    fn wait(&mut self) -> Woken {
        match clock_nanosleep::until(CLOCK, &self.deadline) {
            0 => Woken::TimedOut,
            error => super::woken_by(error),
        }
    }

    fn wait_until(&mut self, deadline: Nanos) -> Woken {
        self.deadline = timespec(deadline);
        self.wait()
    }
}
