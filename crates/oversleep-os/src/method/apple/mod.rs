//! macOS: Mach, Grand Central Dispatch, and the notes of `kqueue` that say how exact a timer should be.

mod clock_sleep;
mod cond_timedwait_relative;
mod dispatch;
mod dispatch_semaphore;
mod dispatch_timer;
mod kevent64;
mod mach_semaphore;
mod mach_wait_until;

use super::MethodEntry;

pub(super) static ENTRIES: &[MethodEntry] = &[
    mach_wait_until::ENTRY,
    clock_sleep::ENTRY,
    mach_semaphore::ENTRY,
    cond_timedwait_relative::ENTRY,
    dispatch_timer::ENTRY,
    dispatch_timer::STRICT,
    dispatch_semaphore::ENTRY,
    kevent64::MACHTIME,
    kevent64::CRITICAL,
    kevent64::BACKGROUND,
    kevent64::LEEWAY,
];
