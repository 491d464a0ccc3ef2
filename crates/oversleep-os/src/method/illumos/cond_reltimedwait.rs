//! `pthread_cond_reltimedwait_np` on a condition that nobody signals.

use crate::method::posix::condition::{Condition, woken};
use crate::method::posix::span;
use crate::method::{MethodEntry, Woken, call};
use oversleep_recording::catalog::MethodId;

unsafe extern "C" {
    /// Declared in `<pthread.h>`, but not by the libc crate.
    fn pthread_cond_reltimedwait_np(
        condition: *mut libc::pthread_cond_t,
        mutex: *mut libc::pthread_mutex_t,
        duration: *const libc::timespec,
    ) -> libc::c_int;
}

/// At the end of its time this call returns `ETIME`; its manual page says `ETIMEDOUT`.
pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::CondReltimedwait, || {
    let pair = Condition::held()?;
    Ok(Box::new(call(span, move |duration| {
        // SAFETY: this thread holds the mutex; condition, mutex and duration outlive the call.
        match unsafe { pthread_cond_reltimedwait_np(pair.condition(), pair.mutex(), duration) } {
            libc::ETIME => Woken::TimedOut,
            answer => woken(answer),
        }
    })))
});
