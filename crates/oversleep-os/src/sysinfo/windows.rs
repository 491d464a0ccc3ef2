//! Facts that Windows reports: build, counter, timer resolution, power plan.

use super::system::SystemNames;
use crate::clock;
use crate::procedure::procedure;
use crate::settings::timer_resolution;
use oversleep_recording::catalog::ClockId;
use oversleep_recording::machine::Timekeeping;
use oversleep_sys::units::Nanos;
use std::ffi::{CStr, c_char};
use std::ptr;
use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::Foundation::LocalFree;
use windows_sys::Win32::System::Power::{PowerGetActiveScheme, PowerReadFriendlyName};
use windows_sys::Win32::System::SystemInformation::OSVERSIONINFOW;
use windows_sys::core::GUID;

/// Returns the system's names. `RtlGetVersion` returns the true version, whatever the program's manifest says
/// (`GetVersionEx` does not).
pub(super) fn names() -> SystemNames {
    let size = u32::try_from(size_of::<OSVERSIONINFOW>()).unwrap_or(0);
    let mut version = OSVERSIONINFOW { dwOSVersionInfoSize: size, ..OSVERSIONINFOW::default() };
    // SAFETY: the structure states its size.
    let status = unsafe { RtlGetVersion(&raw mut version) };
    let release = format!("{}.{}.{}", version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber);
    SystemNames {
        system: "Windows".into(),
        release: if status >= 0 { release } else { String::new() },
        version: wine().map_or_else(String::new, |version| format!("Wine {version}")),
        architecture: std::env::consts::ARCH.into(),
    }
}

/// Returns Wine's own version, by a call that Windows lacks: programs in Wine have this machine's clocks and timers.
fn wine() -> Option<String> {
    type Version = unsafe extern "C" fn() -> *const c_char;
    let call = procedure(c"ntdll.dll", c"wine_get_version")?;
    // SAFETY: Wine documents this signature (wiki.winehq.org, "Developer FAQ").
    let call = unsafe { std::mem::transmute::<unsafe extern "system" fn() -> isize, Version>(call) };
    // SAFETY: takes nothing and returns a text that stays valid.
    let text = unsafe { call() };
    // SAFETY: the text ends in a zero.
    let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })?;
    Some(text.to_string_lossy().into_owned())
}

/// Returns the counter, and the timer resolution of the system.
pub(super) fn timekeeping() -> Timekeeping {
    let rate = clock::open(ClockId::QueryPerformanceCounter).ok().map(|probe| probe.rate());
    let per_second = rate.map(|rate| rate.numerator() / rate.denominator().max(1));
    let timers = timer_resolution::read().ok();
    Timekeeping {
        clocksource: per_second.map(|rate| source(rate).to_owned()),
        counter_hz: per_second,
        resolution: rate.and_then(|rate| Nanos::from_ticks(1, rate)),
        tick_claimed: super::tick::claimed(),
        timer_resolution: timers,
        ..Timekeeping::default()
    }
}

/// Returns the source of `QueryPerformanceCounter`, by its rate (learn.microsoft.com, "Acquiring high-resolution time
/// stamps"): since Windows 10 version 1607 the processor's counter, or a hypervisor's time made from it, is presented
/// at 10 MHz; before, it was presented at its own rate divided by 1024.
fn source(rate: u64) -> &'static str {
    match rate {
        10_000_000 => "tsc or hypervisor reference time",
        3_579_545 => "acpi-pm",
        14_318_180 | 25_000_000 => "hpet",
        1_193_182 => "i8254",
        _ => "tsc",
    }
}

/// Returns the name of the power plan in force, such as `Balanced`.
pub(super) fn power_plan() -> Option<String> {
    let mut scheme: *mut GUID = ptr::null_mut();
    // SAFETY: no user root key is given; the call writes a pointer that we must free.
    if unsafe { PowerGetActiveScheme(ptr::null_mut(), &raw mut scheme) } != 0 || scheme.is_null() {
        return None;
    }
    let name = friendly_name(scheme);
    // SAFETY: allocated by the call above, freed once.
    unsafe { LocalFree(scheme.cast()) };
    name
}

fn friendly_name(scheme: *const GUID) -> Option<String> {
    let mut bytes = [0_u8; 512];
    let mut size = u32::try_from(bytes.len()).unwrap_or(0);
    let none = ptr::null();
    // SAFETY: the scheme is alive; the call writes at most `size` bytes, the array's, and reports how many.
    let status =
        unsafe { PowerReadFriendlyName(ptr::null_mut(), scheme, none, none, bytes.as_mut_ptr(), &raw mut size) };
    (status == 0).then(|| wide(&bytes[..bytes.len().min(size as usize)]))?
}

/// Converts a text of two bytes per unit, up to its zero.
fn wide(bytes: &[u8]) -> Option<String> {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let text = String::from_utf16_lossy(&units);
    let text = text.trim_end_matches('\0').trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counters_rate_names_its_source() {
        assert_eq!(source(10_000_000), "tsc or hypervisor reference time");
        assert_eq!(source(3_579_545), "acpi-pm");
        assert_eq!(source(2_533_203), "tsc");
    }

    #[test]
    fn texts_end_at_their_zero() {
        assert_eq!(wide(b"B\0a\0l\0\0\0").as_deref(), Some("Bal"));
        assert_eq!(wide(b"\0\0"), None);
    }

    #[test]
    fn a_resolution_in_force_is_one_of_those_there_are() {
        match timekeeping().timer_resolution {
            Some(timers) => {
                assert!(timers.finest <= timers.in_force && timers.in_force <= timers.coarsest, "{timers:?}");
            }
            None => println!("skipped: the system does not say its timer resolutions"),
        }
    }
}
