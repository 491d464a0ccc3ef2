//! `timerfd`: set, then read, for a duration or until a time.

use crate::method::posix::woken_by_errno;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::Refusal;
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

pub(super) const ENTRY: MethodEntry = MethodEntry::new(MethodId::Timerfd, || Ok(Box::new(Timerfd::<0>::new()?)));

pub(super) const ABS: MethodEntry =
    MethodEntry::new(MethodId::TimerfdAbs, || Ok(Box::new(Timerfd::<{ libc::TFD_TIMER_ABSTIME }>::new()?)));

/// `FLAGS` distinguishes a duration (0) from a time (`TFD_TIMER_ABSTIME`).
struct Timerfd<const FLAGS: libc::c_int> {
    timer: Timer,
    request: libc::itimerspec,
}

impl<const FLAGS: libc::c_int> Timerfd<FLAGS> {
    fn new() -> Result<Self, Refusal> {
        Ok(Self { timer: Timer::new()?, request: setting(Nanos::new(1), Nanos::ZERO) })
    }
}

impl<const FLAGS: libc::c_int> Waiter for Timerfd<FLAGS> {
    /// Zero would disarm the timer, so it becomes 1 ns.
    fn prepare(&mut self, request: Request) {
        let time =
            if FLAGS == 0 { request.duration(TimerClock::Monotonic) } else { request.deadline(TimerClock::Monotonic) };
        self.request = setting(time.max(Nanos::new(1)), Nanos::ZERO);
    }

    /// Setting the timer is part of the wait, because its time runs from there. It also discards an expiry that an
    /// interrupted wait left.
    fn wait(&mut self) -> Woken {
        if !self.timer.set(FLAGS, &self.request) {
            return woken_by_errno();
        }
        match self.timer.read() {
            Ok(_) => Woken::TimedOut,
            Err(woken) => woken,
        }
    }
}

fn setting(first: Nanos, interval: Nanos) -> libc::itimerspec {
    libc::itimerspec { it_interval: timespec(interval), it_value: timespec(first) }
}

/// A timer with a descriptor, on the monotonic clock.
struct Timer(OwnedFd);

impl Timer {
    fn new() -> Result<Self, Refusal> {
        // SAFETY: takes a clock and a flag and returns a descriptor or −1.
        let descriptor = unsafe { libc::timerfd_create(libc::CLOCK_MONOTONIC, libc::TFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(Refusal::last_os("timerfd_create"));
        }
        // SAFETY: new from the kernel and owned by nobody else.
        Ok(Self(unsafe { OwnedFd::from_raw_fd(descriptor) }))
    }

    #[inline]
    fn set(&self, flags: libc::c_int, request: &libc::itimerspec) -> bool {
        // SAFETY: the request outlives the call; the old value is not needed.
        unsafe { libc::timerfd_settime(self.0.as_raw_fd(), flags, ptr::from_ref(request), ptr::null_mut()) == 0 }
    }

    /// Waits for the next expiry; returns the number of expiries since the last read.
    #[inline]
    fn read(&self) -> Result<u64, Woken> {
        let mut expiries = 0_u64;
        // SAFETY: the buffer is the eight bytes the call writes.
        let answer = unsafe { libc::read(self.0.as_raw_fd(), (&raw mut expiries).cast(), size_of::<u64>()) };
        if answer < 0 { Err(woken_by_errno()) } else { Ok(expiries) }
    }
}

/// With an interval: the kernel keeps the schedule and counts the expiries that were missed.
pub(super) const PERIODIC: MethodEntry = MethodEntry::new(MethodId::TimerfdPeriodic, || {
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
