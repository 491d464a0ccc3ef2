//! `epoll_wait` on an instance that watches nothing, in milliseconds: the sleep of event loops.

use super::epoll;
use crate::method::posix::woken_by_count;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use crate::requests::milliseconds;
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::os::fd::{AsRawFd, OwnedFd};

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::EpollWait,
    open: || {
        let event = libc::epoll_event { events: 0, u64: 0 };
        Ok(Box::new(EpollWait { epoll: epoll::empty()?, event, milliseconds: 0 }))
    },
};

struct EpollWait {
    epoll: OwnedFd,
    event: libc::epoll_event,
    milliseconds: libc::c_int,
}

impl Waiter for EpollWait {
    fn prepare(&mut self, request: Request) {
        self.milliseconds = milliseconds(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        let epoll = self.epoll.as_raw_fd();
        // SAFETY: there is room for the one event asked for.
        woken_by_count(unsafe { libc::epoll_wait(epoll, &raw mut self.event, 1, self.milliseconds) })
    }
}
