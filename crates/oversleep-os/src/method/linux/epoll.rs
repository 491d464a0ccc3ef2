//! Waits on an epoll instance that watches nothing: the sleep of event loops.

use crate::method::posix::probe::probed;
use crate::method::posix::{span, woken_by_count};
use crate::method::{MethodEntry, Request, call};
use crate::requests::milliseconds;
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

fn empty() -> Result<OwnedFd, Refusal> {
    // SAFETY: takes a flag and returns a descriptor or −1.
    let descriptor = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
    if descriptor < 0 {
        return Err(Refusal::last_os("epoll_create1"));
    }
    // SAFETY: new from the kernel and owned by nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// `epoll_wait`, in milliseconds.
pub(super) const WAIT: MethodEntry = MethodEntry::new(MethodId::EpollWait, || {
    let (epoll, mut event) = (empty()?, libc::epoll_event { events: 0, u64: 0 });
    let time = |request: Request| milliseconds(request.duration(TimerClock::Monotonic));
    Ok(Box::new(call(time, move |milliseconds| {
        // SAFETY: there is room for the one event asked for.
        woken_by_count(unsafe { libc::epoll_wait(epoll.as_raw_fd(), &raw mut event, 1, *milliseconds) })
    })))
});

/// `epoll_pwait2`: `epoll_wait` in nanoseconds. Linux 5.11; called by number, since musl and glibc before 2.35 have no
/// function for it.
pub(super) const PWAIT2: MethodEntry = MethodEntry::new(MethodId::EpollPwait2, || {
    let (epoll, mut event) = (empty()?, libc::epoll_event { events: 0, u64: 0 });
    let waiter = call(span, move |request| {
        // SAFETY: there is room for the one event asked for; the time outlives the call; no mask is given.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_epoll_pwait2,
                epoll.as_raw_fd(),
                &raw mut event,
                1 as libc::c_int,
                ptr::from_ref(request),
                ptr::null::<libc::sigset_t>(),
                0 as libc::size_t,
            )
        };
        woken_by_count(answer)
    });
    probed("epoll_pwait2", waiter)
});
