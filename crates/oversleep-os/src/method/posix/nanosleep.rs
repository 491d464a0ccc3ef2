//! `nanosleep`: relative, in nanoseconds.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::ptr;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::Nanosleep, open: || Ok(Box::new(Nanosleep { request: timespec(Nanos::ZERO) })) };

struct Nanosleep {
    request: libc::timespec,
}

impl Waiter for Nanosleep {
    fn prepare(&mut self, request: Request) {
        self.request = timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: the request outlives the call; a null remainder is allowed.
        if unsafe { libc::nanosleep(&raw const self.request, ptr::null_mut()) } == 0 {
            Woken::TimedOut
        } else {
            super::woken_by_errno()
        }
    }
}
