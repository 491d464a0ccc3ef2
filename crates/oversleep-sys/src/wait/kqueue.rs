//! A timer of `kqueue`: what sleeps better than the system's own sleep where that is stretched to save energy.
//!
//! FreeBSD sets these timers without the precision that `kern.timecounter.alloweddeviation` takes off a `nanosleep`
//! (`sys/kern/kern_event.c`, `filt_timerexpire`); macOS coalesces critical ones the least (`bsd/sys/event.h`).

use crate::clock;
use crate::units::Nanos;
use std::cell::OnceCell;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::{io, ptr};

#[cfg(target_os = "macos")]
const NOTES: u32 = libc::NOTE_NSECONDS | libc::NOTE_CRITICAL;
#[cfg(target_os = "freebsd")]
const NOTES: u32 = libc::NOTE_NSECONDS;

thread_local! {
    /// One queue per thread, made when it first waits.
    static QUEUE: OnceCell<Option<OwnedFd>> = const { OnceCell::new() };
}

/// Returns early by a signal, or by a timer that a signal left behind; callers look at the clock.
pub(super) fn monotonic(deadline: Nanos) {
    let rest = deadline.saturating_sub(clock::monotonic());
    let waited = QUEUE.try_with(|queue| queue.get_or_init(open).as_ref().is_some_and(|queue| wait(queue, rest)));
    // No descriptor to be had, or taken away by a fork, or the thread is ending.
    if !waited.unwrap_or(false) {
        super::sleeping::monotonic(deadline);
    }
}

fn open() -> Option<OwnedFd> {
    // SAFETY: takes nothing and answers a descriptor or −1.
    let queue = unsafe { libc::kqueue() };
    // SAFETY: fresh from the kernel and owned by nobody else.
    (queue >= 0).then(|| unsafe { OwnedFd::from_raw_fd(queue) })
}

/// Waits for a time; `false` if the system would not.
fn wait(queue: &OwnedFd, rest: Nanos) -> bool {
    // SAFETY: all zero is a valid event.
    let mut timer: libc::kevent = unsafe { std::mem::zeroed() };
    timer.ident = 1;
    timer.filter = libc::EVFILT_TIMER;
    timer.flags = libc::EV_ADD | libc::EV_ONESHOT;
    timer.fflags = NOTES;
    // 64 bits wherever this is built; a shorter wait would only be another look at the clock.
    timer.data = rest.get().max(1).try_into().unwrap_or(1);
    let change = timer;
    // SAFETY: one change and room for one event, which outlive the call; no timeout waits until it comes.
    let answer = unsafe { libc::kevent(queue.as_raw_fd(), &raw const change, 1, &raw mut timer, 1, ptr::null()) };
    match answer {
        1 => timer.flags & libc::EV_ERROR == 0,
        _ => io::Error::last_os_error().kind() == io::ErrorKind::Interrupted,
    }
}
