//! What would give the right that was missing.

use super::Policy;
pub(super) use crate::fact::limits::soft as soft_limit;
use std::thread;

/// Why a real-time priority was denied, and what would allow it.
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

/// Tries something out on a thread made for it, so that what it cannot undo dies with that thread.
///
/// Rights are best asked this way: capabilities shown inside a user namespace do not count for scheduling. A
/// thread that cannot be made (a deadline thread may make none) settles nothing and counts as success.
pub(super) fn on_another_thread(attempt: impl FnOnce() -> bool + Send + 'static) -> bool {
    thread::Builder::new().spawn(attempt).map_or(true, |thread| thread.join().unwrap_or(true))
}
