//! The calls of Grand Central Dispatch that sleeps need (`<dispatch/dispatch.h>`), and a semaphore type.

use crate::method::{MethodEntry, Request, Woken, call};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::ffi::{c_char, c_void};

pub(super) type Object = *mut c_void;

unsafe extern "C" {
    fn dispatch_semaphore_create(value: libc::intptr_t) -> Object;
    fn dispatch_semaphore_signal(semaphore: Object) -> libc::intptr_t;
    fn dispatch_semaphore_wait(semaphore: Object, timeout: u64) -> libc::intptr_t;
    fn dispatch_time(when: u64, delta: i64) -> u64;
    pub(super) fn dispatch_release(object: Object);
    pub(super) fn dispatch_queue_create(label: *const c_char, attributes: Object) -> Object;
    pub(super) fn dispatch_sync_f(queue: Object, context: *mut c_void, work: unsafe extern "C" fn(*mut c_void));
    pub(super) fn dispatch_source_create(
        kind: *const c_void,
        handle: libc::uintptr_t,
        mask: libc::c_ulong,
        queue: Object,
    ) -> Object;
    pub(super) fn dispatch_source_set_timer(source: Object, start: u64, interval: u64, leeway: u64);
    pub(super) fn dispatch_source_set_event_handler_f(source: Object, handler: unsafe extern "C" fn(*mut c_void));
    pub(super) fn dispatch_source_cancel(source: Object);
    pub(super) fn dispatch_set_context(object: Object, context: *mut c_void);
    pub(super) fn dispatch_resume(object: Object);
    /// The object whose address is `DISPATCH_SOURCE_TYPE_TIMER`.
    #[link_name = "_dispatch_source_type_timer"]
    pub(super) static SOURCE_TYPE_TIMER: c_void;
}

/// `DISPATCH_TIME_NOW` and `DISPATCH_TIME_FOREVER`, `<dispatch/time.h>`.
const NOW: u64 = 0;
pub(super) const FOREVER: u64 = u64::MAX;

/// Returns the time after `duration` from now, on the clock that stops while the machine sleeps.
#[inline]
pub(super) fn from_now(duration: Nanos) -> u64 {
    // SAFETY: takes numbers.
    unsafe { dispatch_time(NOW, duration.get().max(0)) }
}

/// A semaphore that begins at zero, as it must if it is freed while nobody waits.
pub(super) struct Semaphore(Object);

impl Semaphore {
    pub(super) fn new() -> Result<Self, Refusal> {
        // SAFETY: takes a number; null is a failure.
        let semaphore = unsafe { dispatch_semaphore_create(0) };
        if semaphore.is_null() {
            return Err(Refusal::Failed("dispatch_semaphore_create made none".to_owned()));
        }
        Ok(Self(semaphore))
    }

    pub(super) fn raw(&self) -> Object {
        self.0
    }

    /// Waits until a time, and returns whether the semaphore was signalled before it.
    #[inline]
    pub(super) fn wait(&self, until: u64) -> bool {
        // SAFETY: alive until drop.
        unsafe { dispatch_semaphore_wait(self.0, until) == 0 }
    }

    /// Consumes all signals.
    pub(super) fn drain(&self) {
        while self.wait(NOW) {}
    }
}

/// Signals the semaphore that is an event handler's context.
pub(super) unsafe extern "C" fn signal(semaphore: *mut c_void) {
    // SAFETY: the semaphore given as context, which outlives the handler.
    unsafe { dispatch_semaphore_signal(semaphore) };
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: created once, released once, and nobody waits.
        unsafe { dispatch_release(self.0) };
    }
}

/// `dispatch_semaphore_wait` with a timeout on a semaphore that nobody signals. The call takes a time, which is computed in
/// the wait, because the duration begins there.
pub(super) const SEMAPHORE_WAIT: MethodEntry =
    MethodEntry::new(MethodId::DispatchSemaphoreWait, || {
        let semaphore = Semaphore::new()?;
        let duration = |request: Request| request.duration(TimerClock::Monotonic);
        Ok(Box::new(call(duration, move |duration| {
            if semaphore.wait(from_now(*duration)) { Woken::Interrupted } else { Woken::TimedOut }
        })))
    });
