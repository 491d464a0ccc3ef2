//! `port_get` on a port to which no event comes.

use crate::method::posix::{errno, span};
use crate::method::{MethodEntry, Woken, call};
use oversleep_recording::catalog::MethodId;
use oversleep_sys::Refusal;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::PortGet, || {
    let port = EventPort::new()?;
    Ok(Box::new(call(span, move |timeout| match port.get(Some(timeout)) {
        Ok(false) => Woken::TimedOut,
        Ok(true) => Woken::Interrupted,
        Err(woken) => woken,
    })))
});

/// An event port.
pub(super) struct EventPort(OwnedFd);

impl EventPort {
    pub(super) fn new() -> Result<Self, Refusal> {
        // SAFETY: takes nothing and returns a descriptor or −1.
        let descriptor = unsafe { libc::port_create() };
        if descriptor < 0 {
            return Err(Refusal::last_os("port_create"));
        }
        // SAFETY: new from the kernel and owned by nobody else.
        Ok(Self(unsafe { OwnedFd::from_raw_fd(descriptor) }))
    }

    pub(super) fn raw(&self) -> libc::c_int {
        self.0.as_raw_fd()
    }

    /// Waits for an event, at most for the timeout if there is one; returns whether an event came.
    #[inline]
    pub(super) fn get(&self, timeout: Option<&libc::timespec>) -> Result<bool, Woken> {
        let mut event = MaybeUninit::<libc::port_event>::uninit();
        let timeout = timeout.map_or(ptr::null(), ptr::from_ref).cast_mut();
        // SAFETY: room for the one event; the timeout outlives the call, which only reads it.
        if unsafe { libc::port_get(self.raw(), event.as_mut_ptr(), timeout) } == 0 {
            return Ok(true);
        }
        match errno() {
            libc::ETIME => Ok(false),
            libc::EINTR => Err(Woken::Interrupted),
            other => Err(Woken::Failed(other)),
        }
    }
}
