//! `timerfd` with an interval: the kernel keeps the schedule and counts the expiries that were missed.

use super::timerfd::{Timer, setting};
use crate::method::posix::woken_by_errno;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::TimerfdPeriodic, || {
    Ok(Box::new(TimerfdPeriodic { timer: Timer::new()?, period: Nanos::new(1), running: false, missed: 0 }))
});

struct TimerfdPeriodic {
    timer: Timer,
    period: Nanos,
    running: bool,
    missed: u64,
}

impl Waiter for TimerfdPeriodic {
    /// A period of zero would disarm the timer, so it becomes 1 ns. (The kernel advances such a timer when it is
    /// read, not in an interrupt, so even that does not flood the system.)
    fn prepare(&mut self, request: Request) {
        self.period = request.duration(TimerClock::Monotonic).max(Nanos::new(1));
        self.running = false;
        self.missed = 0;
    }

    fn wait(&mut self) -> Woken {
        if !self.running {
            if !self.timer.set(0, &setting(self.period, self.period)) {
                return woken_by_errno();
            }
            self.running = true;
        }
        match self.timer.read() {
            Ok(expiries) => {
                self.missed = expiries.saturating_sub(1);
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
