//! `pthread_cond_reltimedwait_np` on a condition that nobody signals.

use crate::method::posix::condition::{Condition, woken};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;

unsafe extern "C" {
    /// Declared in `<pthread.h>`, but not by the libc crate.
    fn pthread_cond_reltimedwait_np(
        condition: *mut libc::pthread_cond_t,
        mutex: *mut libc::pthread_mutex_t,
        duration: *const libc::timespec,
    ) -> libc::c_int;
}

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::CondReltimedwait,
    open: || Ok(Box::new(CondReltimedwait { condition: Condition::held()?, duration: timespec(Nanos::ZERO) })),
};

struct CondReltimedwait {
    condition: Condition,
    duration: libc::timespec,
}

impl Waiter for CondReltimedwait {
    fn prepare(&mut self, request: Request) {
        self.duration = timespec(request.duration(TimerClock::Monotonic));
    }

    /// At the end of its time this call returns `ETIME`; its manual page says `ETIMEDOUT`.
    fn wait(&mut self) -> Woken {
        let (condition, mutex) = (self.condition.condition(), self.condition.mutex());
        // SAFETY: this thread holds the mutex; condition, mutex and duration outlive the call.
        match unsafe { pthread_cond_reltimedwait_np(condition, mutex, &raw const self.duration) } {
            libc::ETIME => Woken::TimedOut,
            answer => woken(answer),
        }
    }
}
