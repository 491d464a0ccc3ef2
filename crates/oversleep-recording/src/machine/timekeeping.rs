//! Which counter tells the time, and how finely timers can fire.

use super::TimerResolution;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Clocks and timers of the kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Timekeeping {
    /// The counter time is read from: `tsc`.
    pub clocksource: Option<String>,
    /// The counters it could be read from.
    pub clocksources: Vec<String>,
    /// The monotonic clock's resolution as claimed (`clock_getres`). On Linux this is the timers': 1 ns where
    /// they have high resolution, the tick's length where they fire on ticks.
    #[serde(rename = "resolution_ns")]
    pub resolution: Option<Nanos>,
    /// Whether timers fire between ticks (Linux).
    pub high_resolution: Option<bool>,
    /// The tick's length as the kernel claims it: `clock_getres` of `CLOCK_MONOTONIC_COARSE`, `kern.clockrate`.
    #[serde(rename = "tick_claimed_ns")]
    pub tick_claimed: Option<Nanos>,
    /// The tick's length as seen; filled by who calls `oversleep_os::sysinfo::tick::measure`, which takes its time.
    #[serde(rename = "tick_measured_ns")]
    pub tick_measured: Option<Nanos>,
    /// The counter's rate where programs read it as such (Windows' `QueryPerformanceFrequency`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter_hz: Option<u64>,
    /// The timer resolutions of Windows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timer_resolution: Option<TimerResolution>,
    /// The timer slack of the thread that asked.
    #[serde(rename = "timer_slack_ns")]
    pub timer_slack: Option<Nanos>,
}
