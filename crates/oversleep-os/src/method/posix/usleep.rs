//! `usleep`: relative, in microseconds, in an `unsigned int`.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::{MethodId, TimerClock};

pub(super) const ENTRY: MethodEntry =
    MethodEntry { id: MethodId::Usleep, open: || Ok(Box::new(Usleep { microseconds: 0 })) };

struct Usleep {
    microseconds: libc::c_uint,
}

impl Waiter for Usleep {
    /// At most 2³² − 1 µs, 71 minutes. POSIX allowed `usleep` to reject a second or more; such a system returns
    /// `EINVAL`.
    fn prepare(&mut self, request: Request) {
        let duration = MethodId::Usleep.row().rounded(request.duration(TimerClock::Monotonic));
        self.microseconds = (duration.get() / 1_000).try_into().unwrap_or(libc::c_uint::MAX);
    }

    fn wait(&mut self) -> Woken {
        // SAFETY: takes a number, touches no memory of ours.
        if unsafe { libc::usleep(self.microseconds) } == 0 { Woken::TimedOut } else { super::woken_by_errno() }
    }
}
