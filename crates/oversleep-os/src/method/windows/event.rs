//! Handles and event objects: timers signal events, and plain waits wait for one that never comes.

use crate::method::Woken;
use oversleep_sys::Refusal;
use std::ptr;
use windows_sys::Win32::Foundation::{CloseHandle, HANDLE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{CreateEventW, INFINITE, ResetEvent, WaitForSingleObject};

/// A handle that is closed when dropped.
pub(super) struct Handle(HANDLE);

impl Handle {
    /// Wraps the handle that `call` returned; returns the call's error if it is null.
    pub(super) fn new(call: &str, handle: HANDLE) -> Result<Self, Refusal> {
        if handle.is_null() { Err(Refusal::last_os(call)) } else { Ok(Self(handle)) }
    }

    pub(super) fn raw(&self) -> HANDLE {
        self.0
    }

    /// Waits for at most a number of milliseconds and returns the call's result.
    #[inline]
    pub(super) fn wait(&self, ms: u32) -> u32 {
        // SAFETY: the handle is open until drop.
        unsafe { WaitForSingleObject(self.0, ms) }
    }

    /// Waits until the object is signalled.
    #[inline]
    pub(super) fn wait_signalled(&self) -> Woken {
        if self.wait(INFINITE) == WAIT_OBJECT_0 { Woken::TimedOut } else { super::failed() }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: open, and closed once.
        unsafe { CloseHandle(self.0) };
    }
}

/// Returns an unnamed event that is not set.
pub(super) fn unset(manual_reset: bool) -> Result<Handle, Refusal> {
    // SAFETY: no attributes and no name are allowed.
    let handle = unsafe { CreateEventW(ptr::null(), i32::from(manual_reset), 0, ptr::null()) };
    Handle::new("CreateEvent", handle)
}

/// Discards a signal left by an abandoned wait.
pub(super) fn reset(event: &Handle) {
    // SAFETY: the handle is open.
    unsafe { ResetEvent(event.raw()) };
}
