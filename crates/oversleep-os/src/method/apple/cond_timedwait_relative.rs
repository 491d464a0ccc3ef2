//! `pthread_cond_timedwait_relative_np` on a condition that nobody signals.

use crate::method::posix::condition::{Condition, woken};
use crate::method::posix::span;
use crate::method::{MethodEntry, call};
use oversleep_recording::catalog::MethodId;

unsafe extern "C" {
    /// Declared in `<pthread.h>` of macOS; returns its error.
    fn pthread_cond_timedwait_relative_np(
        condition: *mut libc::pthread_cond_t,
        mutex: *mut libc::pthread_mutex_t,
        duration: *const libc::timespec,
    ) -> libc::c_int;
}

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::CondTimedwaitRelative, || {
    let pair = Condition::held()?;
    Ok(Box::new(call(span, move |duration| {
        // SAFETY: this thread holds the mutex; condition, mutex and duration outlive the call.
        woken(unsafe { pthread_cond_timedwait_relative_np(pair.condition(), pair.mutex(), duration) })
    })))
});
