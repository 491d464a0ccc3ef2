//! `select` on no descriptors: the portable sub-second sleep of the 1980s.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use crate::requests::timeval;
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::units::Nanos;
use std::ptr;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::Select, open: || Ok(Box::new(Select { request: timeval(Nanos::ZERO) })) };

struct Select {
    request: libc::timeval,
}

impl Waiter for Select {
    fn prepare(&mut self, request: Request) {
        self.request = timeval(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // Linux writes back the remaining time, so the call gets a copy and the request stays prepared.
        let mut timeout = self.request;
        // SAFETY: no sets are given; the timeout is ours and outlives the call.
        let answer = unsafe { libc::select(0, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), &raw mut timeout) };
        super::woken_by_count(answer)
    }
}
