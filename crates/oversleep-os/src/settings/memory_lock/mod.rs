//! Whether the process's memory is locked, so that no sleeper waits for a page.

#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
use linux as here;

use super::condition::{self, Setting};
use super::{Guard, Typed};
use oversleep_sys::Refusal;

#[cfg(not(target_os = "linux"))]
unsupported!(bool, bool, "oversleep cannot read back locked memory on this system, so it does not lock it");

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
