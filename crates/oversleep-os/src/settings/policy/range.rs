//! The range of priorities of a policy.

#[cfg(any(
    target_os = "linux",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "dragonfly",
    target_os = "macos"
))]
use oversleep_sys::Refusal;
#[cfg(unix)]
use std::ops::RangeInclusive;

/// Returns the priorities that the system allows for a policy number (`SCHED_FIFO`, `SCHED_RR`): 1 to 99 on Linux.
#[cfg(unix)]
pub fn range(policy: i32) -> Option<RangeInclusive<i32>> {
    // SAFETY: takes a number, returns a number or −1.
    let low = unsafe { libc::sched_get_priority_min(policy) };
    // SAFETY: as above.
    let high = unsafe { libc::sched_get_priority_max(policy) };
    (low >= 0 && high >= low).then_some(low..=high)
}

/// Rejects a priority that the policy does not allow; the error names the range.
#[cfg(any(
    target_os = "linux",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "dragonfly",
    target_os = "macos"
))]
pub(super) fn check(name: &str, policy: i32, priority: i32) -> Result<(), Refusal> {
    match range(policy) {
        Some(range) if range.contains(&priority) => Ok(()),
        Some(range) => Err(Refusal::Unavailable(format!(
            "priority {priority} is out of range: {name} takes {} to {} here",
            range.start(),
            range.end()
        ))),
        None => Err(Refusal::Unavailable(format!("this system has no {name} priorities"))),
    }
}
