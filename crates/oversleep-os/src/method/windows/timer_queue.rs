//! A timer of the default timer queue, whose callback sets an event.

use super::event::{self, Handle};
use super::{failed, millis};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::ffi::c_void;
use std::ptr;
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Threading::{
    CreateTimerQueueTimer, DeleteTimerQueueTimer, SetEvent, WT_EXECUTEINTIMERTHREAD, WT_EXECUTEONLYONCE,
};

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::TimerQueue, || {
    Ok(Box::new(TimerQueue { event: event::unset(false)?, ms: 0, timer: ptr::null_mut() }))
});

struct TimerQueue {
    event: Handle,
    ms: u32,
    /// Timer of the last wait, which must be deleted even after it fired; null if there is none.
    timer: HANDLE,
}

impl TimerQueue {
    /// Deletes the timer and waits for its callback to end (which the invalid handle requests).
    fn delete(&mut self) {
        if !self.timer.is_null() {
            // SAFETY: made by `wait` in the default queue (null) and deleted once.
            unsafe { DeleteTimerQueueTimer(ptr::null_mut(), self.timer, INVALID_HANDLE_VALUE) };
            self.timer = ptr::null_mut();
        }
        event::reset(&self.event);
    }
}

/// Runs in the queue's own thread, which is suitable for so short a callback.
unsafe extern "system" fn set(event: *mut c_void, _fired: bool) {
    // SAFETY: the event that `wait` gave; it is closed only after the timer has been deleted.
    unsafe { SetEvent(event) };
}

impl Waiter for TimerQueue {
    fn prepare(&mut self, request: Request) {
        self.delete();
        self.ms = millis(request.duration(TimerClock::Tick));
    }

    fn wait(&mut self) -> Woken {
        self.delete();
        let flags = WT_EXECUTEINTIMERTHREAD | WT_EXECUTEONLYONCE;
        let event = self.event.raw().cast_const();
        // SAFETY: the timer's place outlives the call; the event outlives the timer; no period makes it fire once.
        let made =
            unsafe { CreateTimerQueueTimer(&raw mut self.timer, ptr::null_mut(), Some(set), event, self.ms, 0, flags) };
        if made == 0 { failed() } else { self.event.wait_signalled() }
    }
}

impl Drop for TimerQueue {
    fn drop(&mut self) {
        self.delete();
    }
}
