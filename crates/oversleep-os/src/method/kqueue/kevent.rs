//! `kevent` with a timeout on a queue without events.

use super::event::Queue;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::Kevent,
    open: || Ok(Box::new(Kevent { queue: Queue::new()?, timeout: timespec(Nanos::ZERO) })),
};

struct Kevent {
    queue: Queue,
    timeout: libc::timespec,
}

impl Waiter for Kevent {
    fn prepare(&mut self, request: Request) {
        self.timeout = timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        self.queue.wait_no_longer(&self.timeout)
    }
}
