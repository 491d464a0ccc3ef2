//! Named values of the BSDs and macOS.

use oversleep_recording::catalog::System;
use oversleep_recording::machine::{TUNABLES, Tunable, TunableKind, TunableRow};

#[cfg(any(target_os = "macos", target_os = "freebsd", target_os = "netbsd", target_os = "dragonfly"))]
mod here {
    use std::ffi::CString;
    use std::ptr;

    pub(in super::super) fn bytes(name: &str) -> Option<Vec<u8>> {
        let name = CString::new(name).ok()?;
        let mut value = vec![0_u8; 256];
        let mut length = value.len();
        // SAFETY: the name ends in zero; the system writes at most `length` bytes, the vector's, and reports how many.
        let answer = unsafe {
            libc::sysctlbyname(name.as_ptr(), value.as_mut_ptr().cast(), &raw mut length, ptr::null_mut(), 0)
        };
        value.truncate(length);
        (answer == 0).then_some(value)
    }
}

/// The settings of OpenBSD, which have numbers and no names.
#[cfg(target_os = "openbsd")]
mod here {
    use std::ptr;

    /// Numbers of `<sys/sysctl.h>`: `KERN_TIMECOUNTER` and the values below it.
    const KERN_TIMECOUNTER: libc::c_int = 69;
    const KERN_TIMECOUNTER_HARDWARE: libc::c_int = 3;
    const KERN_TIMECOUNTER_CHOICE: libc::c_int = 4;

    pub(in super::super) fn bytes(name: &str) -> Option<Vec<u8>> {
        let path: &[libc::c_int] = match name {
            "kern.clockrate" => &[libc::CTL_KERN, libc::KERN_CLOCKRATE],
            "kern.timecounter.hardware" => &[libc::CTL_KERN, KERN_TIMECOUNTER, KERN_TIMECOUNTER_HARDWARE],
            "kern.timecounter.choice" => &[libc::CTL_KERN, KERN_TIMECOUNTER, KERN_TIMECOUNTER_CHOICE],
            "hw.model" => &[libc::CTL_HW, libc::HW_MODEL],
            _ => return None,
        };
        let mut value = vec![0_u8; 256];
        let mut length = value.len();
        let parts = libc::c_uint::try_from(path.len()).ok()?;
        // SAFETY: the path has as many parts as said; the system writes at most `length` bytes, the vector's.
        let answer = unsafe {
            libc::sysctl(path.as_ptr(), parts, value.as_mut_ptr().cast(), &raw mut length, ptr::null_mut(), 0)
        };
        value.truncate(length);
        (answer == 0).then_some(value)
    }
}

#[cfg(not(any(
    target_os = "macos",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "dragonfly",
    target_os = "openbsd"
)))]
mod here {
    pub(in super::super) fn bytes(_name: &str) -> Option<Vec<u8>> {
        None
    }
}

/// Returns the setting as text.
pub(super) fn text(name: &str) -> Option<String> {
    as_text(&here::bytes(name)?)
}

/// Returns a number of eight bytes.
#[cfg(target_os = "freebsd")]
pub(super) fn number(name: &str) -> Option<u64> {
    <[u8; 8]>::try_from(here::bytes(name)?).ok().map(u64::from_ne_bytes)
}

/// Returns the first number of a structure.
#[cfg(not(windows))]
pub(super) fn first_int(name: &str) -> Option<i32> {
    first_of(&here::bytes(name)?)
}

/// Returns the settings of this system that affect sleep, in the order of their rows.
pub(super) fn tunables() -> Vec<Tunable> {
    let here = TUNABLES.iter().filter(|row| System::HERE.is_some_and(|system| row.systems.contains(&system)));
    let value = |row: &TunableRow| {
        let bytes = here::bytes(row.name)?;
        match row.kind {
            TunableKind::Text => as_text(&bytes),
            TunableKind::Number => as_number(&bytes),
            TunableKind::ClockRate => first_of(&bytes).map(|hz| hz.to_string()),
        }
    };
    here.filter_map(|row| Some(Tunable { name: row.name.to_owned(), value: value(row)? })).collect()
}

fn as_text(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes).trim_end_matches('\0').trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn first_of(bytes: &[u8]) -> Option<i32> {
    bytes.first_chunk().map(|bytes| i32::from_ne_bytes(*bytes))
}

/// Parses a number of one byte (`bool`), four (`int`) or eight (`quad`).
fn as_number(bytes: &[u8]) -> Option<String> {
    match *bytes {
        [byte] => Some(byte.to_string()),
        [a, b, c, d] => Some(i32::from_ne_bytes([a, b, c, d]).to_string()),
        _ => <[u8; 8]>::try_from(bytes).ok().map(|bytes| i64::from_ne_bytes(bytes).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_size_that_the_system_gives() {
        assert_eq!(as_number(&[1]).as_deref(), Some("1"));
        assert_eq!(as_number(&(-5_i32).to_ne_bytes()).as_deref(), Some("-5"));
        assert_eq!(as_number(&60_000_000_000_i64.to_ne_bytes()).as_deref(), Some("60000000000"));
        assert_eq!(as_number(&[1, 2, 3]), None);
        assert_eq!(as_text(b"TSC-low\0").as_deref(), Some("TSC-low"));
        assert_eq!(as_text(b"\0"), None);
        assert_eq!(first_of(&[100_i32.to_ne_bytes(), 10_000_i32.to_ne_bytes()].concat()), Some(100));
    }

    #[test]
    fn only_this_systems_settings_are_read() {
        let rows = TUNABLES.iter().filter(|row| System::HERE.is_some_and(|system| row.systems.contains(&system)));
        let names: Vec<_> = rows.map(|row| row.name).collect();
        assert!(tunables().iter().all(|tunable| names.contains(&tunable.name.as_str())));
    }
}
