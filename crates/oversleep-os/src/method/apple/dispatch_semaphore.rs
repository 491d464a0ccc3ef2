//! `dispatch_semaphore_wait` with a timeout on a semaphore that nobody signals.

use super::dispatch::{Semaphore, from_now};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::DispatchSemaphoreWait,
    open: || Ok(Box::new(Waiting { semaphore: Semaphore::new()?, duration: Nanos::ZERO })),
};

struct Waiting {
    semaphore: Semaphore,
    duration: Nanos,
}

impl Waiter for Waiting {
    fn prepare(&mut self, request: Request) {
        self.duration = request.duration(TimerClock::Monotonic);
    }

    /// The call takes a time, which is computed here, because the duration begins here.
    fn wait(&mut self) -> Woken {
        if self.semaphore.wait(from_now(self.duration)) { Woken::Interrupted } else { Woken::TimedOut }
    }
}
