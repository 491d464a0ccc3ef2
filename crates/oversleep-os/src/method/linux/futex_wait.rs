//! `futex(FUTEX_WAIT)` on a word that nobody changes: the wait of locks and condition variables.

use crate::method::posix::probe::probed;
use crate::method::posix::{span, woken_by_errno};
use crate::method::{MethodEntry, Woken, call};
use oversleep_recording::catalog::MethodId;
use std::ptr;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::FutexWait, || {
    let word = Box::new(0_u32);
    let waiter = call(span, move |request| {
        // SAFETY: the word is aligned, ours, and zero as the call expects; the time outlives the call.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_futex,
                &raw const *word,
                libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
                0_u32,
                ptr::from_ref(request),
            )
        };
        // 0 is a spurious wake-up, which the manual page allows.
        if answer == 0 { Woken::Interrupted } else { woken_by_errno() }
    });
    probed("futex", waiter)
});
