//! `std::thread::park_timeout`: the wait under Rust's channels and executors.

use crate::method::{Entry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::thread;
use std::time::Duration;

pub(super) const ENTRY: Entry =
    Entry { id: MethodId::ParkTimeout, open: || Ok(Box::new(ParkTimeout { duration: Duration::ZERO })) };

struct ParkTimeout {
    duration: Duration,
}

impl Waiter for ParkTimeout {
    fn arm(&mut self, request: Request) {
        // An unpark left over from earlier would end the next wait at once; this takes it.
        thread::park_timeout(Duration::ZERO);
        self.duration = request.duration(TimerClock::Monotonic).to_duration().unwrap_or_default();
    }

    /// The call does not say why it returned, so an early wake-up shows in the time alone.
    fn wait(&mut self) -> Woken {
        thread::park_timeout(self.duration);
        Woken::TimedOut
    }
}
