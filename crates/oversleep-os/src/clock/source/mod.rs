//! How each clock is read. One file per family; the families meet in one list.

#[cfg(target_os = "macos")]
mod apple;
#[cfg(any(target_os = "freebsd", target_os = "dragonfly", target_os = "openbsd"))]
mod bsd;
#[cfg(unix)]
mod gettime;
#[cfg(target_os = "illumos")]
mod illumos;
#[cfg(target_os = "linux")]
mod linux;
mod portable;
#[cfg(unix)]
mod posix;
#[cfg(windows)]
mod windows;

use super::entry::ClockEntry;

/// The clocks of every family. This is the only list of families.
pub(super) static FAMILIES: &[&[ClockEntry]] = &[
    portable::ENTRIES,
    #[cfg(unix)]
    posix::ENTRIES,
    #[cfg(target_os = "linux")]
    linux::ENTRIES,
    #[cfg(any(target_os = "freebsd", target_os = "dragonfly", target_os = "openbsd"))]
    bsd::ENTRIES,
    #[cfg(target_os = "macos")]
    apple::ENTRIES,
    #[cfg(target_os = "illumos")]
    illumos::ENTRIES,
    #[cfg(windows)]
    windows::ENTRIES,
];
