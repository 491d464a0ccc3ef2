//! `epoll_pwait2`: `epoll_wait` in nanoseconds. Linux 5.11; called by number, since musl and glibc before 2.35
//! have no function for it.

use super::epoll;
use crate::method::posix::probe::probed;
use crate::method::posix::woken_by_count;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::EpollPwait2,
    open: || {
        let event = libc::epoll_event { events: 0, u64: 0 };
        probed("epoll_pwait2", EpollPwait2 { epoll: epoll::empty()?, event, request: timespec(Nanos::ZERO) })
    },
};

struct EpollPwait2 {
    epoll: OwnedFd,
    event: libc::epoll_event,
    request: libc::timespec,
}

impl Waiter for EpollPwait2 {
    fn prepare(&mut self, request: Request) {
        self.request = timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: there is room for the one event asked for; the time outlives the call; no mask is given.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_epoll_pwait2,
                self.epoll.as_raw_fd(),
                &raw mut self.event,
                1 as libc::c_int,
                &raw const self.request,
                ptr::null::<libc::sigset_t>(),
                0 as libc::size_t,
            )
        };
        woken_by_count(answer)
    }
}
