//! The calling thread where timers have no slack of their own to set.

#[derive(Debug)]
pub(super) struct LeastSlack;

impl LeastSlack {
    pub(super) fn take() -> Self {
        Self
    }
}

pub(super) fn is_real_time() -> bool {
    let mut policy = 0;
    // SAFETY: all-zero is a valid sched_param on every system here.
    let mut parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: takes nothing and cannot fail.
    let me = unsafe { libc::pthread_self() };
    // SAFETY: both results are written before the call answers 0, and outlive it.
    let answer = unsafe { libc::pthread_getschedparam(me, &raw mut policy, &raw mut parameters) };
    answer == 0 && matches!(policy, libc::SCHED_FIFO | libc::SCHED_RR)
}
