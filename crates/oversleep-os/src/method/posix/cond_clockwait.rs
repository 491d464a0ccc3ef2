//! `pthread_cond_clockwait`: a wait on a condition with a deadline on the monotonic clock.

use super::clockwait::symbol;
use super::condition::{Condition, woken};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::ffi::c_void;

pub(super) const ENTRY: MethodEntry = MethodEntry { id: MethodId::CondClockwait, open };

type Call = unsafe extern "C" fn(
    *mut libc::pthread_cond_t,
    *mut libc::pthread_mutex_t,
    libc::clockid_t,
    *const libc::timespec,
) -> libc::c_int;

struct CondClockwait {
    call: Call,
    condition: Condition,
    deadline: libc::timespec,
}

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    let address = symbol(c"pthread_cond_clockwait")?;
    // SAFETY: the C library's function of this name has this signature (glibc 2.30, POSIX.1-2024).
    let call = unsafe { std::mem::transmute::<*mut c_void, Call>(address.as_ptr()) };
    Ok(Box::new(CondClockwait { call, condition: Condition::held()?, deadline: timespec(Nanos::ZERO) }))
}

impl Waiter for CondClockwait {
    fn prepare(&mut self, request: Request) {
        self.deadline = timespec(request.deadline(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        let (condition, mutex) = (self.condition.condition(), self.condition.mutex());
        // SAFETY: this thread holds the mutex; condition, mutex and deadline outlive the call.
        woken(unsafe { (self.call)(condition, mutex, libc::CLOCK_MONOTONIC, &raw const self.deadline) })
    }
}
