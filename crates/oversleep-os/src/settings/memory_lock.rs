//! Whether the process's memory is locked, so that no sleeper waits for a page.

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_sys::Refusal;

#[cfg(not(target_os = "linux"))]
unsupported!("oversleep cannot read back locked memory on this system, so it does not lock it": read() -> bool, set(bool) -> ());

/// The condition `memory_locked`.
pub(super) const SETTING: Setting =
    Setting::new("memory_locked", |value| condition::apply(value, apply), || read().map(|value| value.value()));

/// Returns whether the process's memory is locked: whether more than half of it is locked according to the kernel.
///
/// The kernel reports only sizes, not whether all is locked; its own special mappings are never locked, so the two
/// sizes differ even after `mlockall`.
pub fn read() -> Result<bool, Refusal> {
    here::read()
}

/// Locks (or unlocks) the memory of the whole process until the guard is dropped.
///
/// With the privilege, or without a limit, this includes memory that is mapped later (`MCL_FUTURE`). Under a limit it
/// only includes present memory, because otherwise the first allocation beyond the limit would fail and end the
/// process. Dropping a guard that locked unlocks everything, including what was locked separately (`munlockall(2)`). A
/// process that gives up its privilege must drop the guard first, for the same reason.
pub fn apply(asked: bool) -> Result<Guard<bool>, Refusal> {
    let before = read()?;
    if asked != before {
        here::set(asked)?;
    }
    Guard::new(read(), move || {
        if asked != before {
            // It was in force when the guard was made; a refusal now could not be reported to anyone.
            let _ = here::set(before);
        }
    })
}

/// `mlockall`, read back from `/proc/self/status`.
#[cfg(target_os = "linux")]
mod here {
    use crate::settings::privilege;
    use oversleep_sys::Refusal;
    use std::fs;

    const STATUS: &str = "/proc/thread-self/status";

    pub(super) fn read() -> Result<bool, Refusal> {
        status()
            .and_then(|status| locked(&status).ok_or_else(|| Refusal::Unavailable(format!("{STATUS} has no VmLck"))))
    }

    pub(super) fn set(lock: bool) -> Result<(), Refusal> {
        if !lock {
            // SAFETY: takes nothing.
            let answer = unsafe { libc::munlockall() };
            return if answer == 0 { Ok(()) } else { Err(Refusal::last_os("munlockall")) };
        }
        let limit = if may_lock_all(&status()?) { None } else { privilege::soft_limit(libc::RLIMIT_MEMLOCK) };
        let flags = if limit.is_none() { libc::MCL_CURRENT | libc::MCL_FUTURE } else { libc::MCL_CURRENT };
        // SAFETY: takes a number; locked pages stay valid as they were.
        let answer = unsafe { libc::mlockall(flags) };
        if answer == 0 { Ok(()) } else { Err(explain(limit)) }
    }

    fn explain(limit: Option<u64>) -> Refusal {
        let error = std::io::Error::last_os_error();
        match (error.raw_os_error(), limit) {
            (Some(libc::EPERM | libc::ENOMEM), Some(limit)) => {
                let size = status().ok().and_then(|status| kib(&status, "VmSize:")).unwrap_or(0);
                Refusal::Forbidden(format!(
                    "locking this process's {size} KiB needs CAP_IPC_LOCK (root) or RLIMIT_MEMLOCK of as much, which is {} KiB (`ulimit -l`, limits.conf `memlock`)",
                    limit / 1024
                ))
            }
            _ => Refusal::from_os("mlockall", &error),
        }
    }

    fn status() -> Result<String, Refusal> {
        fs::read_to_string(STATUS).map_err(|error| Refusal::from_os(STATUS, &error))
    }

    fn locked(status: &str) -> Option<bool> {
        Some(kib(status, "VmLck:")? * 2 > kib(status, "VmSize:")?)
    }

    fn kib(status: &str, key: &str) -> Option<u64> {
        let rest = status.lines().find_map(|line| line.strip_prefix(key))?;
        rest.trim().strip_suffix("kB")?.trim().parse().ok()
    }

    /// Returns whether the process has `CAP_IPC_LOCK`, bit 14 of the effective capabilities.
    fn may_lock_all(status: &str) -> bool {
        let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
        effective.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).is_some_and(|bits| bits >> 14 & 1 == 1)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn locked_means_more_than_half() {
            let of = |size: u32, locked: u32| format!("Name:\tx\nVmSize:\t  {size} kB\nVmLck:\t   {locked} kB\n");
            assert_eq!(locked(&of(1000, 960)), Some(true));
            assert_eq!(locked(&of(1000, 500)), Some(false));
            assert_eq!(locked(&of(1000, 0)), Some(false));
            assert_eq!(locked("Name:\tkthreadd\n"), None);
        }

        #[test]
        fn the_capability_is_one_bit() {
            assert!(may_lock_all("CapEff:\t000001ffffffffff\n"));
            assert!(may_lock_all("CapEff:\t0000000000004000\n"));
            assert!(!may_lock_all("CapEff:\t0000000000000000\n"));
            assert!(!may_lock_all("CapPrm:\t0000000000004000\n"));
        }
    }
}
