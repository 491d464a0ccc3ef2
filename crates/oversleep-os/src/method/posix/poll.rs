//! `poll` on no descriptors, in milliseconds.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use crate::requests::milliseconds;
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::ptr;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::Poll, open: || Ok(Box::new(Poll { milliseconds: 0 })) };

struct Poll {
    milliseconds: libc::c_int,
}

impl Waiter for Poll {
    fn prepare(&mut self, request: Request) {
        self.milliseconds = milliseconds(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: no descriptors are given, so the null array is not read.
        super::woken_by_count(unsafe { libc::poll(ptr::null_mut(), 0, self.milliseconds) })
    }
}
