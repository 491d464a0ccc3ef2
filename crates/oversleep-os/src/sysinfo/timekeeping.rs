//! The counter behind the clock, and the resolution of timers.

use super::files::Files;
#[cfg(not(windows))]
use super::sysctl;
use oversleep_recording::machine::Timekeeping;
#[cfg(not(windows))]
use oversleep_sys::units::Nanos;

#[cfg(windows)]
pub(super) fn read(_files: Files) -> Timekeeping {
    super::windows::timekeeping()
}

#[cfg(not(windows))]
pub(super) fn read(files: Files) -> Timekeeping {
    let source = |name: &str| files(&format!("/sys/devices/system/clocksource/clocksource0/{name}_clocksource"));
    let available = source("available").unwrap_or_default();
    let resolution = resolution();
    let clocksource = source("current").or_else(|| sysctl::text("kern.timecounter.hardware"));
    Timekeeping {
        clock_rate: clocksource.as_deref().and_then(|counter| super::counter_rate::read(files, counter)),
        tick_rate: None,
        clocksource,
        clocksources: available.split_whitespace().map(Into::into).collect(),
        resolution,
        high_resolution: resolution.filter(|_| cfg!(target_os = "linux")).map(|time| time == Nanos::new(1)),
        tick_claimed: super::tick::claimed(),
        tick_measured: None,
        counter_hz: None,
        timer_resolution: None,
        timer_slack: crate::settings::timer_slack::read().ok(),
    }
}

#[cfg(unix)]
fn resolution() -> Option<Nanos> {
    oversleep_sys::clock::unix::resolution(libc::CLOCK_MONOTONIC)
}

#[cfg(not(any(unix, windows)))]
fn resolution() -> Option<Nanos> {
    None
}
