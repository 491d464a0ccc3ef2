//! Privileges, and what would grant them.

use oversleep_recording::plan::Policy;
use std::thread;

/// Returns why a real-time priority was denied, and what would allow it.
pub(super) fn real_time_reason(asked: Policy, priority: i32) -> String {
    let limit = soft_limit(libc::RLIMIT_RTPRIO);
    let now = limit.map_or_else(|| "not known".into(), |limit| limit.to_string());
    let mut text = format!(
        "'{asked}' needs CAP_SYS_NICE (root) or RLIMIT_RTPRIO of at least {priority}, which is {now} (`ulimit -r`, limits.conf `rtprio`)"
    );
    if limit.is_some_and(|limit| limit >= u64::from(priority.unsigned_abs())) {
        text.push_str("; the limit would allow it, so its cgroup gives real-time threads no time (cpu.rt_runtime_us)");
    }
    text
}

/// Tries something on a thread made for it, so that what cannot be undone ends with that thread.
///
/// This is the reliable way to test for rights: capabilities shown inside a user namespace do not count for scheduling.
/// If the thread cannot be made (a deadline thread may make none), nothing is known, which counts as success.
pub(crate) fn on_another_thread(attempt: impl FnOnce() -> bool + Send + 'static) -> bool {
    thread::Builder::new().spawn(attempt).map_or(true, |thread| thread.join().unwrap_or(true))
}

#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = libc::c_int;

/// Returns a soft limit of the process; `None` if unlimited or unreadable.
pub(crate) fn soft_limit(resource: Resource) -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the kernel writes the structure if it returns 0.
    let answer = unsafe { libc::getrlimit(resource, &raw mut limit) };
    (answer == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as u64)
}
