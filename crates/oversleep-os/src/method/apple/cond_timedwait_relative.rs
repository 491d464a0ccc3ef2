//! `pthread_cond_timedwait_relative_np` on a condition that nobody signals.

use crate::method::posix::condition::{Condition, woken};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;

unsafe extern "C" {
    /// Declared in `<pthread.h>` of macOS; returns its error.
    fn pthread_cond_timedwait_relative_np(
        condition: *mut libc::pthread_cond_t,
        mutex: *mut libc::pthread_mutex_t,
        duration: *const libc::timespec,
    ) -> libc::c_int;
}

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::CondTimedwaitRelative,
    open: || Ok(Box::new(CondTimedwaitRelative { condition: Condition::held()?, duration: timespec(Nanos::ZERO) })),
};

struct CondTimedwaitRelative {
    condition: Condition,
    duration: libc::timespec,
}

impl Waiter for CondTimedwaitRelative {
    fn prepare(&mut self, request: Request) {
        self.duration = timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        let (condition, mutex) = (self.condition.condition(), self.condition.mutex());
        // SAFETY: this thread holds the mutex; condition, mutex and duration outlive the call.
        woken(unsafe { pthread_cond_timedwait_relative_np(condition, mutex, &raw const self.duration) })
    }
}
