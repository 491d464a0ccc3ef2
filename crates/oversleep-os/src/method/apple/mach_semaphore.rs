//! `semaphore_timedwait` on a Mach semaphore that nobody signals.

use crate::mach::{self, Timespec};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

unsafe extern "C" {
    fn semaphore_create(task: u32, semaphore: *mut u32, policy: libc::c_int, value: libc::c_int) -> libc::c_int;
    fn semaphore_timedwait(semaphore: u32, time: Timespec) -> libc::c_int;
    fn semaphore_destroy(task: u32, semaphore: u32) -> libc::c_int;
}

/// `SYNC_POLICY_FIFO`, `<mach/sync_policy.h>`.
const FIFO: libc::c_int = 0;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::MachSemaphoreTimedwait, open);

fn open() -> Result<Box<dyn Waiter>, Refusal> {
    let mut semaphore = 0;
    // SAFETY: this task's own port; the call writes the semaphore's, which `drop` destroys.
    match unsafe { semaphore_create(mach::task(), &raw mut semaphore, FIFO, 0) } {
        mach::SUCCESS => Ok(Box::new(Semaphore { semaphore, time: mach::timespec(Nanos::ZERO) })),
        error => Err(mach::refused("semaphore_create", error)),
    }
}

struct Semaphore {
    semaphore: u32,
    time: Timespec,
}

impl Waiter for Semaphore {
    fn prepare(&mut self, request: Request) {
        self.time = mach::timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: the semaphore is alive; the time is passed by value.
        match unsafe { semaphore_timedwait(self.semaphore, self.time) } {
            mach::OPERATION_TIMED_OUT => Woken::TimedOut,
            mach::SUCCESS | mach::ABORTED => Woken::Interrupted,
            error => Woken::Failed(error),
        }
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: made by this task and destroyed once, which also releases its port.
        unsafe { semaphore_destroy(mach::task(), self.semaphore) };
    }
}
