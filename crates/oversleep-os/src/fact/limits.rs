//! What this process may ask for.

use super::files::Files;
use crate::knob::rt_guard::{self, RtGuard};

/// Limits that decide which knobs turn. A limit that is `None` is unlimited, or not known on this system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Limits {
    /// Whether the process is root's.
    pub root: Option<bool>,
    /// The highest real-time priority (`RLIMIT_RTPRIO`); 0 for none.
    pub realtime_priority: Option<u64>,
    /// 20 minus the lowest niceness (`RLIMIT_NICE`); 0 for none below what it has.
    pub nice: Option<u64>,
    /// Memory that may be locked (`RLIMIT_MEMLOCK`).
    pub memory_lock_bytes: Option<u64>,
    /// The kernel's limit on all real-time threads.
    pub realtime_guard: Option<RtGuard>,
}

pub(super) fn read(_files: Files) -> Limits {
    let of_process = of_process();
    Limits { root: super::system::root(), realtime_guard: rt_guard::read().ok(), ..of_process }
}

#[cfg(target_os = "linux")]
fn of_process() -> Limits {
    Limits {
        realtime_priority: soft(libc::RLIMIT_RTPRIO),
        nice: soft(libc::RLIMIT_NICE),
        memory_lock_bytes: soft(libc::RLIMIT_MEMLOCK),
        ..Limits::default()
    }
}

#[cfg(not(target_os = "linux"))]
fn of_process() -> Limits {
    Limits::default()
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
type Resource = libc::__rlimit_resource_t;
#[cfg(all(target_os = "linux", not(target_env = "gnu")))]
type Resource = libc::c_int;

/// A soft limit of the process; `None` if unlimited or unreadable.
#[cfg(target_os = "linux")]
pub(crate) fn soft(resource: Resource) -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the kernel writes the structure when it answers 0.
    let answer = unsafe { libc::getrlimit(resource, &raw mut limit) };
    (answer == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as u64)
}
