//! A queue, its events, and `kevent` with a timeout on a queue without events.

use crate::method::posix::{span, woken_by_errno};
use crate::method::{MethodEntry, Woken, call};
use oversleep_recording::catalog::MethodId;
use oversleep_sys::Refusal;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

/// Identifier of the only timer in a queue.
const IDENT: libc::uintptr_t = 1;

pub(in crate::method) struct Queue(OwnedFd);

impl Queue {
    pub(in crate::method) fn new() -> Result<Self, Refusal> {
        // SAFETY: takes nothing and returns a descriptor or −1.
        let descriptor = unsafe { libc::kqueue() };
        if descriptor < 0 {
            return Err(Refusal::last_os("kqueue"));
        }
        // SAFETY: new from the kernel and owned by nobody else.
        Ok(Self(unsafe { OwnedFd::from_raw_fd(descriptor) }))
    }

    #[cfg(target_os = "macos")]
    pub(in crate::method) fn raw(&self) -> libc::c_int {
        self.0.as_raw_fd()
    }

    /// Waits for an event no longer than `timeout`.
    #[inline]
    fn wait_no_longer(&self, timeout: &libc::timespec) -> Woken {
        let mut event = MaybeUninit::<libc::kevent>::uninit();
        // SAFETY: no changes are given; there is room for the one event; the timeout outlives the call.
        let answer =
            unsafe { libc::kevent(self.0.as_raw_fd(), ptr::null(), 0, event.as_mut_ptr(), 1, ptr::from_ref(timeout)) };
        crate::method::posix::woken_by_count(answer)
    }

    /// Makes a change and waits for an event; returns the number of expiries that the event stands for.
    #[inline]
    pub(super) fn wait_for(&self, change: Option<&libc::kevent>) -> Result<u64, Woken> {
        let mut event = MaybeUninit::<libc::kevent>::zeroed();
        let (changes, count) = change.map_or((ptr::null(), 0), |change| (ptr::from_ref(change), 1));
        // SAFETY: as many changes as stated, or none; room for the one event; without a timeout it waits for one.
        let answer = unsafe { libc::kevent(self.0.as_raw_fd(), changes, count, event.as_mut_ptr(), 1, ptr::null()) };
        if answer < 0 {
            return Err(woken_by_errno());
        }
        // SAFETY: zeroed before the call, and all zero is a valid event.
        let event = unsafe { event.assume_init() };
        let data = i64::try_from(event.data).unwrap_or(i64::MAX);
        if answer == 0 {
            return Err(Woken::Interrupted);
        }
        if event.flags & libc::EV_ERROR != 0 {
            return Err(Woken::Failed(i32::try_from(data).unwrap_or(i32::MAX)));
        }
        Ok(u64::try_from(data).unwrap_or(1).max(1))
    }

    /// Makes a change and waits no longer than `timeout`; returns whether its event came.
    #[cfg(has = "kqueue_fine")]
    pub(super) fn comes_within(&self, change: &libc::kevent, timeout: &libc::timespec) -> Result<bool, i32> {
        let mut event = MaybeUninit::<libc::kevent>::zeroed();
        let (change, timeout) = (ptr::from_ref(change), ptr::from_ref(timeout));
        // SAFETY: one change and room for one event; all outlive the call.
        let answer = unsafe { libc::kevent(self.0.as_raw_fd(), change, 1, event.as_mut_ptr(), 1, timeout) };
        if answer < 0 {
            return Err(crate::method::posix::errno());
        }
        // SAFETY: zeroed before the call, and all zero is a valid event.
        let event = unsafe { event.assume_init() };
        if answer > 0 && event.flags & libc::EV_ERROR != 0 {
            return Err(i32::try_from(event.data).unwrap_or(i32::MAX));
        }
        Ok(answer > 0)
    }

    /// Deletes the timer, if it still exists.
    pub(super) fn forget(&self) {
        let change = change(libc::EV_DELETE, 0, 0);
        // SAFETY: one change; no room for events, so an error is only returned: there may be no timer.
        unsafe { libc::kevent(self.0.as_raw_fd(), &raw const change, 1, ptr::null_mut(), 0, ptr::null()) };
    }
}

/// The type of an event's flags, which differs from system to system.
#[cfg(target_os = "netbsd")]
type Flags = u32;
#[cfg(not(target_os = "netbsd"))]
type Flags = u16;

/// Returns a change of the timer; `data` is in the unit that `notes` states.
pub(super) fn change(flags: Flags, notes: u32, data: i64) -> libc::kevent {
    // SAFETY: all zero is a valid event; systems have fields of their own, which zero leaves unused.
    let mut change: libc::kevent = unsafe { std::mem::zeroed() };
    change.ident = IDENT;
    change.filter = libc::EVFILT_TIMER;
    change.flags = flags;
    change.fflags = notes;
    change.data = data.try_into().unwrap_or(libc::intptr_t::MAX.try_into().unwrap_or_default());
    change
}

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::Kevent, || {
    let queue = Queue::new()?;
    Ok(Box::new(call(span, move |timeout| queue.wait_no_longer(timeout))))
});
