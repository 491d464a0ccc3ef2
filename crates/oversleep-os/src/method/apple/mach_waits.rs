//! Mach's sleeps: `mach_wait_until`, on the clock that stops while the machine sleeps, and `clock_sleep` on the service of the
//! system clock, which is deprecated, and measured because published programs used it.

use crate::mach::{self, ClockService};
use crate::method::{MethodEntry, Request, Woken, call};
use oversleep_recording::catalog::{MethodId, TimerClock};

fn woken(answer: libc::c_int) -> Woken {
    match answer {
        mach::SUCCESS => Woken::TimedOut,
        mach::ABORTED => Woken::Interrupted,
        error => Woken::Failed(error),
    }
}

pub(super) const WAIT_UNTIL: MethodEntry = MethodEntry::new(MethodId::MachWaitUntil, || {
    let deadline = |request: Request| mach::to_ticks(request.deadline(TimerClock::Monotonic));
    Ok(Box::new(call(deadline, |deadline| woken(mach::wait_until(*deadline)))))
});

pub(super) const CLOCK_SLEEP: MethodEntry = MethodEntry::new(MethodId::MachClockSleep, || {
    let clock = ClockService::system()?;
    let time = |request: Request| mach::timespec(request.duration(TimerClock::Monotonic));
    Ok(Box::new(call(time, move |time| woken(clock.sleep(*time)))))
});
