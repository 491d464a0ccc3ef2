//! Clocks of the BSDs beyond POSIX.

use super::gettime::Gettime;
use crate::clock::ClockId;
use crate::clock::entry::Entry;

pub(super) static ENTRIES: &[Entry] = &[
    Entry::of::<Gettime<{ libc::CLOCK_UPTIME }>>(ClockId::Uptime),
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    Entry::of::<Gettime<{ libc::CLOCK_MONOTONIC_FAST }>>(ClockId::MonotonicFast),
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    Entry::of::<Gettime<{ libc::CLOCK_MONOTONIC_PRECISE }>>(ClockId::MonotonicPrecise),
    #[cfg(target_os = "openbsd")]
    Entry::of::<Gettime<{ libc::CLOCK_BOOTTIME }>>(ClockId::Boottime),
];
