//! An unnamed semaphore that nobody posts.

use crate::method::Woken;
use oversleep_sys::Refusal;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;

/// Boxed, because a semaphore may not move once it has been made.
pub(super) struct Semaphore(Box<UnsafeCell<MaybeUninit<libc::sem_t>>>);

impl Semaphore {
    pub(super) fn empty() -> Result<Self, Refusal> {
        let semaphore = Box::new(UnsafeCell::new(MaybeUninit::zeroed()));
        // SAFETY: the box is room for one semaphore, of this process, starting at zero.
        if unsafe { libc::sem_init(semaphore.get().cast(), 0, 0) } == 0 {
            Ok(Self(semaphore))
        } else {
            Err(Refusal::last_os("sem_init"))
        }
    }

    pub(super) fn get(&self) -> *mut libc::sem_t {
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
pub(super) fn woken(answer: libc::c_int) -> Woken {
    if answer == 0 { Woken::Interrupted } else { super::woken_by_errno() }
}
