//! Which counter tells the time, and how finely timers can fire.

use super::files::Files;
use super::sysctl;
use crate::units::Nanos;

/// Clocks and timers of the kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Timekeeping {
    /// The counter time is read from: `tsc`.
    pub clocksource: Option<String>,
    /// The counters it could be read from.
    pub clocksources: Vec<String>,
    /// The monotonic clock's resolution as claimed (`clock_getres`). On Linux this is the timers': 1 ns where
    /// they have high resolution, the tick's length where they fire on ticks.
    #[cfg_attr(feature = "serde", serde(rename = "resolution_ns"))]
    pub resolution: Option<Nanos>,
    /// Whether timers fire between ticks (Linux).
    pub high_resolution: Option<bool>,
    /// The tick's length as the kernel claims it: `clock_getres` of `CLOCK_MONOTONIC_COARSE`, `kern.clockrate`.
    #[cfg_attr(feature = "serde", serde(rename = "tick_claimed_ns"))]
    pub tick_claimed: Option<Nanos>,
    /// The tick's length as seen; filled by who calls [`super::tick::measure`], which takes its time.
    #[cfg_attr(feature = "serde", serde(rename = "tick_measured_ns"))]
    pub tick_measured: Option<Nanos>,
    /// The timer slack of the thread that asked.
    #[cfg_attr(feature = "serde", serde(rename = "timer_slack_ns"))]
    pub timer_slack: Option<Nanos>,
}

pub(super) fn read(files: Files) -> Timekeeping {
    let source = |name: &str| files(&format!("/sys/devices/system/clocksource/clocksource0/{name}_clocksource"));
    let available = source("available").unwrap_or_default();
    let resolution = resolution();
    Timekeeping {
        clocksource: source("current").or_else(|| sysctl::text("kern.timecounter.hardware")),
        clocksources: available.split_whitespace().map(Into::into).collect(),
        resolution,
        high_resolution: resolution.filter(|_| cfg!(target_os = "linux")).map(|time| time == Nanos::new(1)),
        tick_claimed: super::tick::claimed(),
        tick_measured: None,
        timer_slack: crate::knob::timer_slack::read().ok(),
    }
}

#[cfg(unix)]
fn resolution() -> Option<Nanos> {
    crate::clock::unix::resolution(libc::CLOCK_MONOTONIC)
}

#[cfg(not(unix))]
fn resolution() -> Option<Nanos> {
    None
}
