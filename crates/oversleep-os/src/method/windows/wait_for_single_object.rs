//! `WaitForSingleObject` on an event that nobody sets.

use super::event::{self, Handle};
use super::{millis, woken_by_timeout};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::WaitForSingleObject,
    open: || Ok(Box::new(WaitForSingleObject { event: event::unset(true)?, ms: 0 })),
};

struct WaitForSingleObject {
    event: Handle,
    ms: u32,
}

impl Waiter for WaitForSingleObject {
    fn prepare(&mut self, request: Request) {
        self.ms = millis(request.duration(TimerClock::Tick));
    }

    fn wait(&mut self) -> Woken {
        woken_by_timeout(self.event.wait(self.ms))
    }
}
