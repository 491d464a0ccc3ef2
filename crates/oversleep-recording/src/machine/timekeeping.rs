//! The counter behind the clock, and the resolution of timers.

use super::{CounterRate, TimerResolution};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Clocks and timers of the kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Timekeeping {
    /// Clock source that time is read from: `tsc`.
    pub clocksource: Option<String>,
    /// Clock sources that are available.
    pub clocksources: Vec<String>,
    /// Resolution of the monotonic clock as claimed (`clock_getres`). On Linux this is that of timers: 1 ns where
    /// they have high resolution, the tick's length where they fire on ticks.
    #[serde(rename = "resolution_ns")]
    pub resolution: Option<Nanos>,
    /// Whether timers fire between ticks (Linux).
    pub high_resolution: Option<bool>,
    /// Length of the tick as the kernel claims it: `clock_getres` of `CLOCK_MONOTONIC_COARSE`, `kern.clockrate`.
    #[serde(rename = "tick_claimed_ns")]
    pub tick_claimed: Option<Nanos>,
    /// Length of the tick as measured; filled in by the caller of `oversleep_os::sysinfo::tick::measure`, which takes
    /// time.
    #[serde(rename = "tick_measured_ns")]
    pub tick_measured: Option<Nanos>,
    /// Rate of the counter where programs read it directly (Windows' `QueryPerformanceFrequency`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter_hz: Option<u64>,
    /// Counter behind the clock, where a rate of it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_rate: Option<CounterRate>,
    /// Counter that times the tick, where it is known; only simulated kernels tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick_rate: Option<CounterRate>,
    /// Timer resolutions of Windows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timer_resolution: Option<TimerResolution>,
    /// Timer slack of the calling thread.
    #[serde(rename = "timer_slack_ns")]
    pub timer_slack: Option<Nanos>,
}
