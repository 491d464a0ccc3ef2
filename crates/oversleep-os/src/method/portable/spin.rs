//! Reading the clock until the time is over: not a sleep, but the lower limit of all other figures.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::clock;
use oversleep_sys::units::Nanos;
use std::hint::spin_loop;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::Spin, open: || Ok(Box::new(Spin { deadline: Nanos::ZERO })) };

struct Spin {
    deadline: Nanos,
}

impl Waiter for Spin {
    fn prepare(&mut self, request: Request) {
        self.deadline = request.deadline(TimerClock::Monotonic);
    }

    fn wait(&mut self) -> Woken {
        while clock::monotonic() < self.deadline {
            spin_loop();
        }
        Woken::TimedOut
    }
}
