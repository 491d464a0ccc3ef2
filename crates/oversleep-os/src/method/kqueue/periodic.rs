//! Periodic `EVFILT_TIMER`, in milliseconds.

use super::event::{Queue, change};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::KqueueTimerPeriodic, || {
    Ok(Box::new(Periodic { queue: Queue::new()?, period: 1, running: false, missed: 0 }))
});

struct Periodic {
    queue: Queue,
    period: i64,
    running: bool,
    missed: u64,
}

impl Waiter for Periodic {
    fn prepare(&mut self, request: Request) {
        self.queue.forget();
        let period = request.duration(TimerClock::Monotonic).ceil_to(Nanos::MILLISECOND);
        self.period = (period.get() / 1_000_000).max(1);
        self.running = false;
        self.missed = 0;
    }

    fn wait(&mut self) -> Woken {
        let start = (!self.running).then(|| change(libc::EV_ADD, 0, self.period));
        self.running = true;
        match self.queue.wait_for(start.as_ref()) {
            Ok(expiries) => {
                self.missed = expiries - 1;
                Woken::TimedOut
            }
            Err(woken) => {
                self.missed = 0;
                woken
            }
        }
    }

    fn missed(&self) -> u64 {
        self.missed
    }
}
