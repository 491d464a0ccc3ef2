//! `pthread_cond_timedwait` on a condition that nobody signals.

use super::condition::{Condition, woken};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::CondTimedwait,
    open: || Ok(Box::new(CondTimedwait { condition: Condition::held()?, deadline: timespec(Nanos::ZERO) })),
};

struct CondTimedwait {
    condition: Condition,
    deadline: libc::timespec,
}

impl Waiter for CondTimedwait {
    fn prepare(&mut self, request: Request) {
        self.deadline = timespec(request.deadline(TimerClock::Realtime));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: this thread holds the mutex; condition, mutex and deadline outlive the call.
        let answer = unsafe {
            libc::pthread_cond_timedwait(self.condition.condition(), self.condition.mutex(), &raw const self.deadline)
        };
        woken(answer)
    }
}
