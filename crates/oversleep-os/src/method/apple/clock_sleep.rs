//! `clock_sleep` on the service of the system clock: deprecated, and measured because published programs used it.

use crate::mach::{self, ClockService, Timespec};
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::MachClockSleep,
    open: || Ok(Box::new(ClockSleep { clock: ClockService::system()?, time: mach::timespec(Nanos::ZERO) })),
};

struct ClockSleep {
    clock: ClockService,
    time: Timespec,
}

impl Waiter for ClockSleep {
    fn prepare(&mut self, request: Request) {
        self.time = mach::timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        match self.clock.sleep(self.time) {
            mach::SUCCESS => Woken::TimedOut,
            mach::ABORTED => Woken::Interrupted,
            error => Woken::Failed(error),
        }
    }
}
