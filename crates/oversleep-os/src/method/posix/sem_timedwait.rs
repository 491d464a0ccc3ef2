//! `sem_timedwait` on a semaphore that nobody posts.

use super::semaphore::{Semaphore, woken};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::SemTimedwait,
    open: || Ok(Box::new(SemTimedwait { semaphore: Semaphore::empty()?, deadline: timespec(Nanos::ZERO) })),
};

struct SemTimedwait {
    semaphore: Semaphore,
    deadline: libc::timespec,
}

impl Waiter for SemTimedwait {
    fn prepare(&mut self, request: Request) {
        self.deadline = timespec(request.deadline(TimerClock::Realtime));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: the semaphore is initialised; it and the deadline outlive the call.
        woken(unsafe { libc::sem_timedwait(self.semaphore.get(), &raw const self.deadline) })
    }
}
