//! The limits of this process.

use super::files::Files;
#[cfg(target_os = "linux")]
use crate::settings::privilege::soft_limit;
use crate::settings::rt_guard;
use oversleep_recording::machine::Limits;

pub(super) fn read(_files: Files) -> Limits {
    let of_process = of_process();
    Limits { root: super::system::root(), realtime_guard: rt_guard::read().ok(), ..of_process }
}

#[cfg(target_os = "linux")]
fn of_process() -> Limits {
    Limits {
        realtime_priority: soft_limit(libc::RLIMIT_RTPRIO),
        nice: soft_limit(libc::RLIMIT_NICE),
        memory_lock_bytes: soft_limit(libc::RLIMIT_MEMLOCK),
        ..Limits::default()
    }
}

#[cfg(not(target_os = "linux"))]
fn of_process() -> Limits {
    Limits::default()
}
