//! `futex(FUTEX_WAIT)` on a word that nobody changes: the wait of locks and condition variables.

use crate::method::posix::probe::probed;
use crate::method::posix::woken_by_errno;
use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::posix::timespec;
use oversleep_sys::units::Nanos;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    id: MethodId::FutexWait,
    open: || probed("futex", FutexWait { word: Box::new(0), request: timespec(Nanos::ZERO) }),
};

struct FutexWait {
    word: Box<u32>,
    request: libc::timespec,
}

impl Waiter for FutexWait {
    fn prepare(&mut self, request: Request) {
        self.request = timespec(request.duration(TimerClock::Monotonic));
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: the word is aligned, ours, and zero as the call expects; the time outlives the call.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_futex,
                &raw const *self.word,
                libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
                0_u32,
                &raw const self.request,
            )
        };
        // 0 is a spurious wake-up, which the manual page allows.
        if answer == 0 { Woken::Interrupted } else { woken_by_errno() }
    }
}
