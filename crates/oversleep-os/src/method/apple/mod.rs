//! macOS: Mach, Grand Central Dispatch, and the notes of `kqueue` that say how exact a timer should be.

mod cond_timedwait_relative;
mod dispatch;
mod dispatch_timer;
mod kevent64;
mod mach_semaphore;
mod mach_waits;

use super::MethodEntry;

pub(super) static ENTRIES: &[MethodEntry] = &[
    mach_waits::WAIT_UNTIL,
    mach_waits::CLOCK_SLEEP,
    mach_semaphore::ENTRY,
    cond_timedwait_relative::ENTRY,
    dispatch_timer::ENTRY,
    dispatch_timer::STRICT,
    dispatch::SEMAPHORE_WAIT,
    kevent64::MACHTIME,
    kevent64::CRITICAL,
    kevent64::BACKGROUND,
    kevent64::LEEWAY,
];
