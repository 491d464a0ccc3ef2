//! `pselect` on no descriptors: `select` in nanoseconds.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::ptr;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::Pselect, open: || Ok(Box::new(Pselect { request: timespec(Nanos::ZERO) })) };

struct Pselect {
    request: libc::timespec,
}

impl Waiter for Pselect {
    fn prepare(&mut self, request: Request) {
        self.request = timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: no sets and no mask are given; the timeout outlives the call and is only read.
        let answer = unsafe {
            libc::pselect(0, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), &raw const self.request, ptr::null())
        };
        super::woken_by_count(answer)
    }
}
