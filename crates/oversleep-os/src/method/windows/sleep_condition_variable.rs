//! `SleepConditionVariableSRW` on a condition that nobody signals.

use super::{failed_unless, millis};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::cell::UnsafeCell;
use windows_sys::Win32::Foundation::ERROR_TIMEOUT;
use windows_sys::Win32::System::Threading::{
    AcquireSRWLockExclusive, CONDITION_VARIABLE, ReleaseSRWLockExclusive, SRWLOCK, SleepConditionVariableSRW,
};

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::SleepConditionVariable, || {
    Ok(Box::new(Sleeping { pair: Box::new(LockAndCondition::held()), ms: 0 }))
});

struct Sleeping {
    /// In a box, because neither may move during a wait.
    pair: Box<LockAndCondition>,
    ms: u32,
}

/// A lock and the condition variable that is waited on with it.
struct LockAndCondition {
    lock: UnsafeCell<SRWLOCK>,
    condition: UnsafeCell<CONDITION_VARIABLE>,
    held: bool,
}

impl LockAndCondition {
    /// Returns both in their initial state, which is all zero (`SRWLOCK_INIT`, `CONDITION_VARIABLE_INIT`).
    fn held() -> Self {
        Self { lock: UnsafeCell::default(), condition: UnsafeCell::default(), held: false }
    }

    fn take(&mut self) {
        if !self.held {
            // SAFETY: the lock is initialised and in its final place, and nobody else has access to it.
            unsafe { AcquireSRWLockExclusive(self.lock.get()) };
            self.held = true;
        }
    }
}

impl Waiter for Sleeping {
    fn prepare(&mut self, request: Request) {
        self.pair.take();
        self.ms = millis(request.duration(TimerClock::Tick));
    }

    fn wait(&mut self) -> Woken {
        let (condition, lock) = (self.pair.condition.get(), self.pair.lock.get());
        // SAFETY: this thread holds the lock exclusively (flags 0) since `prepare`; both outlive the call.
        if unsafe { SleepConditionVariableSRW(condition, lock, self.ms, 0) } != 0 {
            return Woken::Interrupted;
        }
        failed_unless(ERROR_TIMEOUT)
    }
}

impl Drop for LockAndCondition {
    fn drop(&mut self) {
        if self.held {
            // SAFETY: this thread locked it, and a waiter never leaves its thread. Neither needs to be destroyed.
            unsafe { ReleaseSRWLockExclusive(self.lock.get()) };
        }
    }
}
