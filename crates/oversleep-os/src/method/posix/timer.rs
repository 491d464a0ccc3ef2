//! A POSIX timer, deleted when it is dropped.

use oversleep_sys::Refusal;
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::mem::MaybeUninit;
use std::ptr;

/// A timer of this process.
pub(crate) struct Timer(libc::timer_t);

impl Timer {
    /// Makes a timer that notifies as `event` says. Whatever `event` points to must be alive during the call, which
    /// copies it.
    pub(crate) fn on(clock: libc::clockid_t, event: &mut libc::sigevent) -> Result<Self, Refusal> {
        let mut timer = MaybeUninit::<libc::timer_t>::uninit();
        // SAFETY: event and room for the timer outlive the call.
        if unsafe { libc::timer_create(clock, ptr::from_mut(event), timer.as_mut_ptr()) } != 0 {
            return Err(Refusal::last_os("timer_create"));
        }
        // SAFETY: written by the call above, which succeeded.
        Ok(Self(unsafe { timer.assume_init() }))
    }

    #[inline]
    pub(crate) fn set(&self, request: &libc::itimerspec) -> bool {
        // SAFETY: the timer is alive, the request outlives the call, the old value is not needed.
        unsafe { libc::timer_settime(self.0, 0, ptr::from_ref(request), ptr::null_mut()) == 0 }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: alive since it was made, deleted once.
        unsafe { libc::timer_delete(self.0) };
    }
}

/// Returns the setting of a timer that expires once, or never if the time is zero.
pub(crate) fn once(time: Nanos) -> libc::itimerspec {
    libc::itimerspec { it_interval: timespec(Nanos::ZERO), it_value: timespec(time) }
}
