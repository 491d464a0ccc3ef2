//! Waits on an unnamed semaphore that nobody posts: `sem_timedwait` and `sem_clockwait`.

#[cfg(has = "clockwait")]
use super::clockwait::symbol;
use super::until;
use crate::method::{MethodEntry, Woken, call};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use std::cell::UnsafeCell;
#[cfg(has = "clockwait")]
use std::ffi::c_void;
use std::mem::MaybeUninit;

/// Boxed, because a semaphore may not move once it has been made.
struct Semaphore(Box<UnsafeCell<MaybeUninit<libc::sem_t>>>);

impl Semaphore {
    fn empty() -> Result<Self, Refusal> {
        let semaphore = Box::new(UnsafeCell::new(MaybeUninit::zeroed()));
        // SAFETY: the box is room for one semaphore, of this process, starting at zero.
        if unsafe { libc::sem_init(semaphore.get().cast(), 0, 0) } == 0 {
            Ok(Self(semaphore))
        } else {
            Err(Refusal::last_os("sem_init"))
        }
    }

    fn get(&self) -> *mut libc::sem_t {
        self.0.get().cast()
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: made in `empty`; its only waiter is being dropped.
        unsafe { libc::sem_destroy(self.get()) };
    }
}

/// Returns how the wait ended. 0 would mean that the semaphore was posted.
fn woken(answer: libc::c_int) -> Woken {
    if answer == 0 { Woken::Interrupted } else { super::woken_by_errno() }
}

pub(super) const TIMEDWAIT: MethodEntry = MethodEntry::new(MethodId::SemTimedwait, || {
    let semaphore = Semaphore::empty()?;
    Ok(Box::new(call(until(TimerClock::Realtime), move |deadline| {
        // SAFETY: the semaphore is initialised; it and the deadline outlive the call.
        woken(unsafe { libc::sem_timedwait(semaphore.get(), deadline) })
    })))
});

#[cfg(has = "clockwait")]
pub(super) const CLOCKWAIT: MethodEntry = MethodEntry::new(MethodId::SemClockwait, || {
    type Call = unsafe extern "C" fn(*mut libc::sem_t, libc::clockid_t, *const libc::timespec) -> libc::c_int;
    let address = symbol(c"sem_clockwait")?;
    // SAFETY: the C library's function of this name has this signature (glibc 2.30, POSIX.1-2024).
    let wait = unsafe { std::mem::transmute::<*mut c_void, Call>(address.as_ptr()) };
    let semaphore = Semaphore::empty()?;
    Ok(Box::new(call(until(TimerClock::Monotonic), move |deadline| {
        // SAFETY: the semaphore is initialised; it and the deadline outlive the call.
        woken(unsafe { wait(semaphore.get(), libc::CLOCK_MONOTONIC, deadline) })
    })))
});
