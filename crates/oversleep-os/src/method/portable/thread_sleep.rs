//! `std::thread::sleep`: the call of most Rust programs.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::thread;
use std::time::Duration;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::ThreadSleep, open: || Ok(Box::new(ThreadSleep { duration: Duration::ZERO })) };

struct ThreadSleep {
    duration: Duration,
}

impl Waiter for ThreadSleep {
    fn prepare(&mut self, request: Request) {
        self.duration = request.duration(TimerClock::Monotonic).to_duration().unwrap_or_default();
    }

    /// Never interrupted: the standard library sleeps again for the rest after a signal.
    fn wait(&mut self) -> Woken {
        thread::sleep(self.duration);
        Woken::TimedOut
    }
}
