//! `clock_nanosleep` until a time on a chosen clock.

use super::probe::probed;
use super::timespec::timespec;
use crate::catalog::{MethodId, TimerClock};
use crate::method::{Entry, Request, Waiter, Woken};
use crate::units::Nanos;
use std::ptr;

pub(super) const MONOTONIC: Entry = Entry {
    id: MethodId::ClockNanosleepAbs,
    open: || Ok(Box::new(Absolute::<{ libc::CLOCK_MONOTONIC }>::new(TimerClock::Monotonic))),
};

pub(super) const REALTIME: Entry = Entry {
    id: MethodId::ClockNanosleepAbsRealtime,
    open: || probed("clock_nanosleep(CLOCK_REALTIME)", Absolute::<{ libc::CLOCK_REALTIME }>::new(TimerClock::Realtime)),
};

/// The clock is part of the type, so that no branch on it stands in the timed call.
pub(crate) struct Absolute<const CLOCK: libc::clockid_t> {
    clock: TimerClock,
    /// What `deadline` says.
    armed: Nanos,
    deadline: libc::timespec,
}

impl<const CLOCK: libc::clockid_t> Absolute<CLOCK> {
    pub(crate) fn new(clock: TimerClock) -> Self {
        Self { clock, armed: Nanos::ZERO, deadline: timespec(Nanos::ZERO) }
    }

    /// Sets a deadline. A schedule's follow each other closely: adding the difference saves a division.
    #[inline]
    fn set(&mut self, deadline: Nanos) {
        let further = deadline.get().wrapping_sub(self.armed.get());
        if !(0..SECOND).contains(&further) || cfg!(target_pointer_width = "32") {
            self.set_anew(deadline);
        } else {
            let nanoseconds = self.deadline.tv_nsec as i64 + further;
            let over = nanoseconds >= SECOND;
            self.deadline.tv_sec += libc::time_t::from(over);
            self.deadline.tv_nsec = (if over { nanoseconds - SECOND } else { nanoseconds }) as libc::c_long;
        }
        self.armed = deadline;
    }

    #[cold]
    fn set_anew(&mut self, deadline: Nanos) {
        self.deadline = timespec(deadline);
    }
}

const SECOND: i64 = Nanos::SECOND.get();

impl<const CLOCK: libc::clockid_t> Waiter for Absolute<CLOCK> {
    fn arm(&mut self, request: Request) {
        self.set(request.deadline(self.clock));
    }

    fn arm_and_wait(&mut self, request: Request) -> Woken {
        match request {
            Request::Until(deadline) if deadline >= self.armed => self.set(deadline),
            other => self.arm(other),
        }
        self.wait()
    }

    #[inline]
    fn wait(&mut self) -> Woken {
        match sleep(CLOCK, &self.deadline) {
            0 => Woken::TimedOut,
            error => super::woken_by(error),
        }
    }
}

/// The system call itself. glibc's function of this name is a cancellation point: in a process of several threads
/// it does some fifty instructions more, before and after. Answers the error, 0 for none.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[inline]
fn sleep(clock: libc::clockid_t, deadline: &libc::timespec) -> i32 {
    let nothing = ptr::null_mut::<libc::timespec>();
    // SAFETY: the deadline outlives the call; no remainder is written for an absolute wait.
    let answer = unsafe {
        libc::syscall(libc::SYS_clock_nanosleep, clock, libc::TIMER_ABSTIME, ptr::from_ref(deadline), nothing)
    };
    if answer == 0 { 0 } else { super::errno() }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
#[inline]
fn sleep(clock: libc::clockid_t, deadline: &libc::timespec) -> i32 {
    // SAFETY: the deadline outlives the call; no remainder is written for an absolute wait.
    unsafe { libc::clock_nanosleep(clock, libc::TIMER_ABSTIME, deadline, ptr::null_mut()) }
}
