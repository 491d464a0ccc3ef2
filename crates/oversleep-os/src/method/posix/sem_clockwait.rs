//! `sem_clockwait`: a wait on a semaphore with a deadline on the monotonic clock.

use super::clockwait::symbol;
use super::semaphore::{Semaphore, woken};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::ffi::c_void;

pub(super) const ENTRY: MethodEntry = MethodEntry { id: MethodId::SemClockwait, open };

type Call = unsafe extern "C" fn(*mut libc::sem_t, libc::clockid_t, *const libc::timespec) -> libc::c_int;

struct SemClockwait {
    call: Call,
    semaphore: Semaphore,
    deadline: libc::timespec,
}

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    let address = symbol(c"sem_clockwait")?;
    // SAFETY: the C library's function of this name has this signature (glibc 2.30, POSIX.1-2024).
    let call = unsafe { std::mem::transmute::<*mut c_void, Call>(address.as_ptr()) };
    Ok(Box::new(SemClockwait { call, semaphore: Semaphore::empty()?, deadline: timespec(Nanos::ZERO) }))
}

impl Waiter for SemClockwait {
    fn prepare(&mut self, request: Request) {
        self.deadline = timespec(request.deadline(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: the semaphore is initialised; it and the deadline outlive the call.
        woken(unsafe { (self.call)(self.semaphore.get(), libc::CLOCK_MONOTONIC, &raw const self.deadline) })
    }
}
