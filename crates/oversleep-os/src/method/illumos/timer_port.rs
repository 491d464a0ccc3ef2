//! A POSIX timer whose expiry is an event on a port.

use super::port::Port;
use crate::method::posix::woken_by_errno;
use crate::method::{Entry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::mem::MaybeUninit;
use std::ptr;

pub(super) const REALTIME: Entry = Entry { id: MethodId::TimerPort, open: || open(libc::CLOCK_REALTIME) };

/// `CLOCK_HIGHRES` and `CLOCK_MONOTONIC` are one number (`<sys/time_impl.h>`).
pub(super) const HIGHRES: Entry = Entry { id: MethodId::TimerPortHighres, open: || open(libc::CLOCK_MONOTONIC) };

fn open(clock: libc::clockid_t) -> Result<Box<dyn Waiter>, Refusal> {
    let port = Port::new()?;
    let timer = Timer::on(clock, &port)?;
    Ok(Box::new(TimerPort { timer, port, request: once(Nanos::new(1)) }))
}

/// The timer goes before the port it tells.
struct TimerPort {
    timer: Timer,
    port: Port,
    request: libc::itimerspec,
}

impl Waiter for TimerPort {
    /// Zero would disarm the timer, so it becomes 1 ns. What an interrupted wait left behind is stopped and taken.
    fn arm(&mut self, request: Request) {
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

fn once(time: Nanos) -> libc::itimerspec {
    libc::itimerspec { it_interval: timespec(Nanos::ZERO), it_value: timespec(time) }
}

struct Timer(libc::timer_t);

impl Timer {
    fn on(clock: libc::clockid_t, port: &Port) -> Result<Self, Refusal> {
        let mut notify = libc::port_notify { portnfy_port: port.raw(), portnfy_user: ptr::null_mut() };
        // SAFETY: all zero is a valid sigevent.
        let mut event: libc::sigevent = unsafe { std::mem::zeroed() };
        event.sigev_notify = libc::SIGEV_PORT;
        event.sigev_value.sival_ptr = (&raw mut notify).cast();
        let mut timer = MaybeUninit::<libc::timer_t>::uninit();
        // SAFETY: event, notice and room for the timer outlive the call, which copies the first two (timer_create(3C)).
        if unsafe { libc::timer_create(clock, &raw mut event, timer.as_mut_ptr()) } != 0 {
            return Err(Refusal::last_os("timer_create"));
        }
        // SAFETY: written by the call above, which succeeded.
        Ok(Self(unsafe { timer.assume_init() }))
    }

    #[inline]
    fn set(&self, request: &libc::itimerspec) -> bool {
        // SAFETY: the timer is alive, the request outlives the call, the old value is not wanted.
        unsafe { libc::timer_settime(self.0, 0, ptr::from_ref(request), ptr::null_mut()) == 0 }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: alive since it was made, deleted once.
        unsafe { libc::timer_delete(self.0) };
    }
}
