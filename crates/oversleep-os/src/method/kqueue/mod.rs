//! `kqueue`: waiting for no event, and timers.
//!
//! A timer is added by the same `kevent` call that waits for it, so that its time runs from the wait. A timer that an
//! interrupted wait left is deleted before the next wait.

mod event;
mod periodic;
mod timer;

use super::MethodEntry;

#[cfg(target_os = "macos")]
pub(super) use event::Queue;

pub(super) static ENTRIES: &[MethodEntry] = &[
    event::ENTRY,
    timer::MILLISECONDS,
    #[cfg(has = "kqueue_fine")]
    timer::SECONDS,
    #[cfg(has = "kqueue_fine")]
    timer::MICROSECONDS,
    #[cfg(has = "kqueue_fine")]
    timer::NANOSECONDS,
    #[cfg(has = "kqueue_fine")]
    timer::ABSOLUTE,
    periodic::ENTRY,
];
