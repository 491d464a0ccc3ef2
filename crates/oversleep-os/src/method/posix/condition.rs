//! Waits on a condition variable that nobody signals, with its mutex held by the waiting thread:
//! `pthread_cond_timedwait` and `pthread_cond_clockwait`.

#[cfg(has = "clockwait")]
use super::clockwait::symbol;
use super::until;
use crate::method::{MethodEntry, Woken, call};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use std::cell::UnsafeCell;
#[cfg(has = "clockwait")]
use std::ffi::c_void;
use std::io;

/// Both are in one box, because neither may move once it has been made.
pub(in crate::method) struct Condition(Box<MutexAndCondition>);

/// A mutex and the condition variable that is waited on with it.
struct MutexAndCondition {
    mutex: UnsafeCell<libc::pthread_mutex_t>,
    condition: UnsafeCell<libc::pthread_cond_t>,
}

impl Condition {
    /// Makes both and locks the mutex, as every timed wait on a condition requires.
    pub(in crate::method) fn held() -> Result<Self, Refusal> {
        let pair = Self(Box::new(MutexAndCondition {
            mutex: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER),
            condition: UnsafeCell::new(libc::PTHREAD_COND_INITIALIZER),
        }));
        // SAFETY: the mutex is initialised, does not move, and nobody else has access to it.
        match unsafe { libc::pthread_mutex_lock(pair.mutex()) } {
            0 => Ok(pair),
            error => Err(Refusal::from_os("pthread_mutex_lock", &io::Error::from_raw_os_error(error))),
        }
    }

    pub(in crate::method) fn mutex(&self) -> *mut libc::pthread_mutex_t {
        self.0.mutex.get()
    }

    pub(in crate::method) fn condition(&self) -> *mut libc::pthread_cond_t {
        self.0.condition.get()
    }
}

impl Drop for Condition {
    fn drop(&mut self) {
        // SAFETY: this thread locked the mutex in `held`, and a waiter never leaves its thread.
        unsafe { libc::pthread_mutex_unlock(self.mutex()) };
        // SAFETY: nobody waits on it: the only waiter is being dropped.
        unsafe { libc::pthread_cond_destroy(self.condition()) };
        // SAFETY: unlocked above.
        unsafe { libc::pthread_mutex_destroy(self.mutex()) };
    }
}

/// Returns how the wait ended. 0 is a spurious wake-up, which POSIX allows.
pub(in crate::method) fn woken(answer: libc::c_int) -> Woken {
    if answer == 0 { Woken::Interrupted } else { super::woken_by(answer) }
}

pub(super) const TIMEDWAIT: MethodEntry = MethodEntry::new(MethodId::CondTimedwait, || {
    let pair = Condition::held()?;
    Ok(Box::new(call(until(TimerClock::Realtime), move |deadline| {
        // SAFETY: this thread holds the mutex; condition, mutex and deadline outlive the call.
        woken(unsafe { libc::pthread_cond_timedwait(pair.condition(), pair.mutex(), deadline) })
    })))
});

#[cfg(has = "clockwait")]
pub(super) const CLOCKWAIT: MethodEntry = MethodEntry::new(MethodId::CondClockwait, || {
    type Call = unsafe extern "C" fn(
        *mut libc::pthread_cond_t,
        *mut libc::pthread_mutex_t,
        libc::clockid_t,
        *const libc::timespec,
    ) -> libc::c_int;
    let address = symbol(c"pthread_cond_clockwait")?;
    // SAFETY: the C library's function of this name has this signature (glibc 2.30, POSIX.1-2024).
    let wait = unsafe { std::mem::transmute::<*mut c_void, Call>(address.as_ptr()) };
    let pair = Condition::held()?;
    Ok(Box::new(call(until(TimerClock::Monotonic), move |deadline| {
        // SAFETY: this thread holds the mutex; condition, mutex and deadline outlive the call.
        woken(unsafe { wait(pair.condition(), pair.mutex(), libc::CLOCK_MONOTONIC, deadline) })
    })))
});
