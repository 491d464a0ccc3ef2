//! `sigtimedwait` for an empty set of signals: only its time can end it.

use super::signal;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::ptr;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::Sigtimedwait,
    open: || Ok(Box::new(Sigtimedwait { set: signal::empty(), request: timespec(Nanos::ZERO) })),
};

struct Sigtimedwait {
    set: libc::sigset_t,
    request: libc::timespec,
}

impl Waiter for Sigtimedwait {
    fn prepare(&mut self, request: Request) {
        self.request = timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: set and time outlive the call; nothing is asked about a signal.
        let answer = unsafe { libc::sigtimedwait(&raw const self.set, ptr::null_mut(), &raw const self.request) };
        if answer >= 0 {
            return Woken::Interrupted;
        }
        match super::errno() {
            libc::EAGAIN => Woken::TimedOut,
            errno => super::woken_by(errno),
        }
    }
}
