//! Clocks of the BSDs in addition to POSIX.

use super::gettime::Gettime;
use crate::clock::entry::ClockEntry;
use oversleep_recording::catalog::ClockId;

pub(super) static ENTRIES: &[ClockEntry] = &[
    ClockEntry::new::<Gettime<{ libc::CLOCK_UPTIME }>>(ClockId::Uptime),
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    ClockEntry::new::<Gettime<{ libc::CLOCK_MONOTONIC_FAST }>>(ClockId::MonotonicFast),
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    ClockEntry::new::<Gettime<{ libc::CLOCK_MONOTONIC_PRECISE }>>(ClockId::MonotonicPrecise),
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    ClockEntry::new::<Gettime<{ libc::CLOCK_REALTIME_FAST }>>(ClockId::RealtimeFast),
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    ClockEntry::new::<Gettime<{ libc::CLOCK_REALTIME_PRECISE }>>(ClockId::RealtimePrecise),
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    ClockEntry::new::<Gettime<{ libc::CLOCK_UPTIME_FAST }>>(ClockId::UptimeFast),
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    ClockEntry::new::<Gettime<{ libc::CLOCK_UPTIME_PRECISE }>>(ClockId::UptimePrecise),
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly"))]
    ClockEntry::new::<Gettime<{ libc::CLOCK_SECOND }>>(ClockId::Second),
    #[cfg(target_os = "openbsd")]
    ClockEntry::new::<Gettime<{ libc::CLOCK_BOOTTIME }>>(ClockId::Boottime),
];
