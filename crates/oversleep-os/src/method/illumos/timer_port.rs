//! A POSIX timer whose expiry is an event on a port.

use super::port::EventPort;
use crate::method::posix::timer::{Timer, once};
use crate::method::posix::woken_by_errno;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::ptr;

pub(super) const REALTIME: MethodEntry = MethodEntry::new(MethodId::TimerPort, || open(libc::CLOCK_REALTIME));

/// `CLOCK_HIGHRES` and `CLOCK_MONOTONIC` have the same number (`<sys/time_impl.h>`).
pub(super) const HIGHRES: MethodEntry = MethodEntry::new(MethodId::TimerPortHighres, || open(libc::CLOCK_MONOTONIC));

fn open(clock: libc::clockid_t) -> Result<Box<dyn Waiter>, Refusal> {
    let port = EventPort::new()?;
    let timer = telling(&port, clock)?;
    Ok(Box::new(TimerPort { timer, port, request: once(Nanos::new(1)) }))
}

/// The fields are dropped in order: the timer before the port that it notifies.
struct TimerPort {
    timer: Timer,
    port: EventPort,
    request: libc::itimerspec,
}

impl Waiter for TimerPort {
    /// Zero would disarm the timer, so it becomes 1 ns. A timer that an interrupted wait left is stopped, and its event
    /// taken.
    fn prepare(&mut self, request: Request) {
        self.timer.set(&once(Nanos::ZERO));
        while self.port.get(Some(&timespec(Nanos::ZERO))) == Ok(true) {}
        self.request = once(request.duration(TimerClock::Monotonic).max(Nanos::new(1)));
    }

    fn wait(&mut self) -> Woken {
        if !self.timer.set(&self.request) {
            return woken_by_errno();
        }
        match self.port.get(None) {
            Ok(_) => Woken::TimedOut,
            Err(woken) => woken,
        }
    }
}

fn telling(port: &EventPort, clock: libc::clockid_t) -> Result<Timer, Refusal> {
    let mut notify = libc::port_notify { portnfy_port: port.raw(), portnfy_user: ptr::null_mut() };
    // SAFETY: all zero is a valid sigevent.
    let mut event: libc::sigevent = unsafe { std::mem::zeroed() };
    event.sigev_notify = libc::SIGEV_PORT;
    // Copied by the call (timer_create(3C)).
    event.sigev_value.sival_ptr = (&raw mut notify).cast();
    Timer::on(clock, &mut event)
}
