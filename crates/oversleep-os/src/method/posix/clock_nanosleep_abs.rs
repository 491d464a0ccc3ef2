//! `clock_nanosleep` until a time on the monotonic clock.

use super::timespec::timespec;
use crate::catalog::MethodId;
use crate::method::{Entry, Request, Waiter, Woken};
use crate::units::Nanos;
use std::ptr;

pub(super) const ENTRY: Entry = Entry {
    id: MethodId::ClockNanosleepAbs,
    open: || Ok(Box::new(ClockNanosleepAbs { deadline: timespec(Nanos::ZERO) })),
};

struct ClockNanosleepAbs {
    deadline: libc::timespec,
}

impl Waiter for ClockNanosleepAbs {
    fn arm(&mut self, request: Request) {
        let Request::Until(deadline) = request else { unreachable!("an absolute sleep takes a deadline") };
        self.deadline = timespec(deadline);
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: the deadline outlives the call; no remainder is written for an absolute wait.
        let answer = unsafe {
            libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &raw const self.deadline, ptr::null_mut())
        };
        if answer == 0 { Woken::TimedOut } else { super::woken_by(answer) }
    }
}
