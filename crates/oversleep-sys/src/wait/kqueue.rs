//! Timers of `kqueue`, which sleep better than the system's own sleep where that is prolonged to save energy.
//!
//! FreeBSD sets these timers without the imprecision that `kern.timecounter.alloweddeviation` gives to `nanosleep`
//! (`sys/kern/kern_event.c`, `filt_timerexpire`); macOS coalesces critical ones the least (`bsd/sys/event.h`).

use crate::clock;
use crate::units::Nanos;
use std::cell::OnceCell;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::{io, ptr};

#[cfg(target_vendor = "apple")]
const NOTES: u32 = libc::NOTE_NSECONDS | libc::NOTE_CRITICAL;
#[cfg(target_os = "freebsd")]
const NOTES: u32 = libc::NOTE_NSECONDS;

thread_local! {
    /// One queue per thread, made at its first wait.
    static QUEUE: OnceCell<Option<OwnedFd>> = const { OnceCell::new() };
}

/// Sleeps until about the deadline. A signal, or a timer left by one, may end it early; callers read the clock.
pub(super) fn monotonic(deadline: Nanos) {
    let rest = deadline.saturating_sub(clock::monotonic());
    let waited = QUEUE.try_with(|queue| queue.get_or_init(open).as_ref().is_some_and(|queue| wait(queue, rest)));
    // No descriptor is available, a fork took it away, or the thread is ending.
    if !waited.unwrap_or(false) {
        super::sleeping::monotonic(deadline);
    }
}

fn open() -> Option<OwnedFd> {
    // SAFETY: takes nothing and returns a descriptor or −1.
    let queue = unsafe { libc::kqueue() };
    // SAFETY: new from the kernel and owned by nobody else.
    (queue >= 0).then(|| unsafe { OwnedFd::from_raw_fd(queue) })
}

/// Waits for a time; returns `false` if the system refused.
fn wait(queue: &OwnedFd, rest: Nanos) -> bool {
    // SAFETY: all zero is a valid event.
    let mut timer: libc::kevent = unsafe { std::mem::zeroed() };
    timer.ident = 1;
    timer.filter = libc::EVFILT_TIMER;
    timer.flags = libc::EV_ADD | libc::EV_ONESHOT;
    timer.fflags = NOTES;
    // 64 bits wherever this is built; a shorter wait would only mean another reading of the clock.
    timer.data = rest.get().max(1).try_into().unwrap_or(1);
    let change = timer;
    // SAFETY: one change and room for one event, which outlive the call; without a timeout it waits for the event.
    let answer = unsafe { libc::kevent(queue.as_raw_fd(), &raw const change, 1, &raw mut timer, 1, ptr::null()) };
    match answer {
        1 => timer.flags & libc::EV_ERROR == 0,
        _ => io::Error::last_os_error().kind() == io::ErrorKind::Interrupted,
    }
}
