//! `std::thread::park_timeout`: the wait under Rust's channels and executors.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use std::thread;
use std::time::Duration;

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::ParkTimeout, open: || Ok(Box::new(ParkTimeout { duration: Duration::ZERO })) };

struct ParkTimeout {
    duration: Duration,
}

impl Waiter for ParkTimeout {
    fn prepare(&mut self, request: Request) {
        // An earlier unpark would end the next wait at once; this consumes it.
        thread::park_timeout(Duration::ZERO);
        self.duration = request.duration(TimerClock::Monotonic).to_duration().unwrap_or_default();
    }

    /// The call does not say why it returned, so an early wake-up is visible only in the time.
    fn wait(&mut self) -> Woken {
        thread::park_timeout(self.duration);
        Woken::TimedOut
    }
}
