//! `sched_yield`, the zero-length sleep of polling loops.

use crate::method::{MethodEntry, Request, Waiter, Woken};
use oversleep_recording::catalog::MethodId;

pub(super) const ENTRY: MethodEntry = MethodEntry { id: MethodId::SchedYield, open: || Ok(Box::new(SchedYield)) };

struct SchedYield;

impl Waiter for SchedYield {
    /// The call takes no time, so the request is ignored.
    fn prepare(&mut self, _request: Request) {}

    fn wait(&mut self) -> Woken {
        // SAFETY: takes nothing and touches no memory of ours.
        if unsafe { libc::sched_yield() } == 0 { Woken::TimedOut } else { super::woken_by_errno() }
    }
}
