//! `ppoll` on no descriptors: `poll` in nanoseconds.

use super::probe::probed;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::ptr;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::Ppoll, open: || probed("ppoll", Ppoll { request: timespec(Nanos::ZERO) }) };

struct Ppoll {
    request: libc::timespec,
}

impl Waiter for Ppoll {
    fn prepare(&mut self, request: Request) {
        self.request = timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: no descriptors and no mask are given; the timeout outlives the call and is only read.
        super::woken_by_count(unsafe { libc::ppoll(ptr::null_mut(), 0, &raw const self.request, ptr::null()) })
    }
}
