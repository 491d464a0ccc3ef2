//! `pthread_getschedparam`: `SCHED_FIFO` and `SCHED_RR`.

pub(super) fn is_real_time() -> bool {
    // SAFETY: an all-zero parameter block is a valid one.
    let mut parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    let mut policy = 0;
    // SAFETY: takes nothing; returns the calling thread.
    let me = unsafe { libc::pthread_self() };
    // SAFETY: the thread is alive (it is this one) and both results outlive the call.
    let error = unsafe { libc::pthread_getschedparam(me, &raw mut policy, &raw mut parameters) };
    error == 0 && matches!(policy, libc::SCHED_FIFO | libc::SCHED_RR)
}

#[cfg(not(target_vendor = "apple"))]
pub(super) fn budget() -> Option<crate::units::Nanos> {
    None
}
