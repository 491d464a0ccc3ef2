//! A dispatch timer source whose handler signals a semaphore: the default kind and the strict one.

use super::dispatch::{
    FOREVER, Object, SOURCE_TYPE_TIMER, Semaphore, dispatch_queue_create, dispatch_release, dispatch_resume,
    dispatch_set_context, dispatch_source_cancel, dispatch_source_create, dispatch_source_set_event_handler_f,
    dispatch_source_set_timer, dispatch_sync_f, from_now, signal,
};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use std::ffi::c_void;
use std::ptr;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::DispatchTimer, || open(0));
pub(super) const STRICT: MethodEntry = MethodEntry::new(MethodId::DispatchTimerStrict, || open(STRICT_FLAG));

/// `DISPATCH_TIMER_STRICT`, `<dispatch/source.h>`.
const STRICT_FLAG: libc::c_ulong = 1;

fn open(mask: libc::c_ulong) -> Result<Box<dyn Waiter>, Refusal> {
    let semaphore = Semaphore::new()?;
    // SAFETY: the label ends in a zero and is copied; no attributes make a serial queue.
    let queue = unsafe { dispatch_queue_create(c"oversleep".as_ptr(), ptr::null_mut()) };
    if queue.is_null() {
        return Err(Refusal::Failed("dispatch_queue_create made none".to_owned()));
    }
    // SAFETY: the kind is the library's own object; timers take no handle.
    let source = unsafe { dispatch_source_create(&raw const SOURCE_TYPE_TIMER, 0, mask, queue) };
    if source.is_null() {
        // SAFETY: created above, released once.
        unsafe { dispatch_release(queue) };
        return Err(Refusal::Unavailable("this system has no dispatch timers of that kind".to_owned()));
    }
    let timer = Timer { source, queue, semaphore, duration: Nanos::ZERO };
    // SAFETY: the source is still suspended; the semaphore outlives its handler.
    unsafe { dispatch_set_context(source, timer.semaphore.raw()) };
    // SAFETY: as above.
    unsafe { dispatch_source_set_event_handler_f(source, signal) };
    timer.set(FOREVER);
    // SAFETY: resumed once: a source may not be released while it is suspended.
    unsafe { dispatch_resume(source) };
    Ok(Box::new(timer))
}

struct Timer {
    source: Object,
    queue: Object,
    semaphore: Semaphore,
    duration: Nanos,
}

impl Timer {
    /// Sets the timer to expire once, with no leeway requested.
    #[inline]
    fn set(&self, start: u64) {
        // SAFETY: the source is alive; an interval of for ever means once.
        unsafe { dispatch_source_set_timer(self.source, start, FOREVER, 0) };
    }

    /// Waits until no handler runs, by entering its serial queue behind it.
    fn settle(&self) {
        // SAFETY: the queue is alive, this does not run on it, and the work does nothing.
        unsafe { dispatch_sync_f(self.queue, ptr::null_mut(), nothing) };
    }
}

unsafe extern "C" fn nothing(_: *mut c_void) {}

impl Waiter for Timer {
    fn prepare(&mut self, request: Request) {
        self.set(FOREVER);
        self.settle();
        self.semaphore.drain();
        self.duration = request.duration(TimerClock::Monotonic);
    }

    fn wait(&mut self) -> Woken {
        self.set(from_now(self.duration));
        if self.semaphore.wait(FOREVER) { Woken::TimedOut } else { Woken::Interrupted }
    }
}

impl Drop for Timer {
    /// Cancels the source. Once the current handler has ended no other is called; then nothing needs the semaphore.
    fn drop(&mut self) {
        // SAFETY: alive.
        unsafe { dispatch_source_cancel(self.source) };
        self.settle();
        // SAFETY: created once, released once, not suspended.
        unsafe { dispatch_release(self.source) };
        // SAFETY: created once, released once.
        unsafe { dispatch_release(self.queue) };
    }
}
