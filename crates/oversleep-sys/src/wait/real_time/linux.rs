//! `sched_getattr`: musl's `sched_getscheduler` refuses to answer.

use crate::sched_attr::{self, SCHED_DEADLINE, SchedAttr};
use crate::units::Nanos;

pub(super) fn is_real_time() -> bool {
    let real_time = [libc::SCHED_FIFO as u32, libc::SCHED_RR as u32, SCHED_DEADLINE];
    sched_attr::get().is_ok_and(|attributes| real_time.contains(&attributes.policy))
}

pub(super) fn budget() -> Option<Nanos> {
    match sched_attr::get() {
        Ok(SchedAttr { policy: SCHED_DEADLINE, runtime, .. }) => {
            Some(Nanos::new(i64::try_from(runtime).unwrap_or(i64::MAX)))
        }
        _ => None,
    }
}
