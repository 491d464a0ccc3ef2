//! The calling thread on Linux: its timer slack and its policy.

/// Puts the slack back when dropped.
#[derive(Debug)]
pub(super) struct LeastSlack {
    before: Option<libc::c_ulong>,
}

impl LeastSlack {
    pub(super) fn take() -> Self {
        let before = slack();
        // 0 is what a real-time thread has (Linux 6.10): its timers have no slack, and 0 could not be restored,
        // since setting 0 means "back to the default" (`prctl(2)`).
        if before <= 1 {
            return Self { before: None };
        }
        Self { before: set_slack(1).then_some(before) }
    }
}

impl Drop for LeastSlack {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            set_slack(before);
        }
    }
}

/// The thread's slack in nanoseconds; 0 if it has none or does not say.
pub(super) fn slack() -> libc::c_ulong {
    // SAFETY: takes no pointer.
    let answer = unsafe { libc::prctl(libc::PR_GET_TIMERSLACK) };
    // The call answers an `int`: a slack above 2.1 s comes back negative or cut. Such a thread is left alone.
    libc::c_ulong::try_from(answer).unwrap_or(0)
}

fn set_slack(ns: libc::c_ulong) -> bool {
    // SAFETY: takes no pointer.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, ns) == 0 }
}

pub(super) fn is_real_time() -> bool {
    // SAFETY: 0 names the calling thread; the call takes no pointer.
    let policy = unsafe { libc::sched_getscheduler(0) };
    matches!(policy & !libc::SCHED_RESET_ON_FORK, libc::SCHED_FIFO | libc::SCHED_RR | libc::SCHED_DEADLINE)
}
