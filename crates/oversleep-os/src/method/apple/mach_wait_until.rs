//! `mach_wait_until`: sleeps until the clock that stops while the machine sleeps reads a number of ticks.

use crate::mach;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::MachWaitUntil, open: || Ok(Box::new(MachWaitUntil { deadline: 0 })) };

struct MachWaitUntil {
    deadline: u64,
}

impl Waiter for MachWaitUntil {
    fn prepare(&mut self, request: Request) {
        self.deadline = mach::to_ticks(request.deadline(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        match mach::wait_until(self.deadline) {
            mach::SUCCESS => Woken::TimedOut,
            mach::ABORTED => Woken::Interrupted,
            error => Woken::Failed(error),
        }
    }

    fn wait_until(&mut self, deadline: Nanos) -> Woken {
        self.deadline = mach::to_ticks(deadline);
        self.wait()
    }
}
