//! Clocks and timers: the counter behind the clock, the resolution of timers, and how the kernel steers the clock.

use oversleep_sys::units::{Nanos, Ppm};
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

/// A counter's rate, as stated and as the kernel assumes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CounterRate {
    /// Name of the counter: `tsc`, `lapic`.
    pub counter: String,
    /// Rate that the processor, the hypervisor or the firmware states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_hz: Option<u64>,
    /// Rate that the kernel assumes, mostly from a calibration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel_hz: Option<u64>,
    /// Number of counts from one tick to the next, where the counter times the tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts_per_tick: Option<u64>,
}

/// The timer resolutions of a system (Windows).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct TimerResolution {
    /// Coarsest resolution, in force while no process requests another.
    #[serde(rename = "coarsest_ns")]
    pub coarsest: Nanos,
    /// Finest resolution that may be requested.
    #[serde(rename = "finest_ns")]
    pub finest: Nanos,
    /// Resolution in force in the system.
    #[serde(rename = "in_force_ns")]
    pub in_force: Nanos,
}

/// Whose request for a timer resolution counts in a version of Windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimerRule {
    /// The finest that any process requests applies to all (before Windows 10 version 2004).
    SystemWide,
    /// A process gets what it requests itself (since version 2004, build 19041).
    PerProcess,
    /// The same, but not guaranteed while the process's windows are hidden or silent (Windows 11, build 22000).
    PerProcessWhileSeen,
}

impl TimerRule {
    /// Returns the rule of a release such as `10.0.19045`; `None` if the text states no build.
    pub fn of_release(release: &str) -> Option<Self> {
        let mut numbers = release.split('.').map(str::parse::<u32>);
        let (major, _, build) = (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?);
        Some(match build {
            _ if major < 10 => Self::SystemWide,
            0..19_041 => Self::SystemWide,
            19_041..22_000 => Self::PerProcess,
            _ => Self::PerProcessWhileSeen,
        })
    }

    /// Returns a description of the rule.
    pub const fn text(self) -> &'static str {
        match self {
            Self::SystemWide => "the finest resolution that any process asks for holds for all",
            Self::PerProcess => "a process gets the resolution that it asks for itself",
            Self::PerProcessWhileSeen => {
                "a process gets the resolution that it asks for itself, while its windows are not hidden"
            }
        }
    }
}

/// The kernel's clock discipline (`adjtimex`, read only).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Ntp {
    /// Whether the kernel regards the clock as synchronised.
    pub synchronised: bool,
    /// Frequency correction: how much faster the clock is made than its counter.
    #[serde(rename = "frequency_ppm")]
    pub frequency: Ppm,
    /// Offset still to be corrected.
    #[serde(rename = "offset_ns")]
    pub offset: Nanos,
    /// Maximum error of the clock.
    #[serde(rename = "max_error_ns")]
    pub max_error: Nanos,
    /// Status flags (`STA_`).
    pub status: i32,
    /// International atomic time minus UTC, 37 s since 2017; 0 where the kernel was not given it.
    pub tai_offset_s: i32,
}

#[cfg(test)]
mod tests {
    use super::TimerRule;

    /// Builds according to learn.microsoft.com ("Windows 10 release information") and the remarks on `timeBeginPeriod`.
    #[test]
    fn a_build_decides_the_rule() {
        let rule = TimerRule::of_release;
        assert_eq!(rule("6.1.7601"), Some(TimerRule::SystemWide));
        assert_eq!(rule("10.0.18363"), Some(TimerRule::SystemWide));
        assert_eq!(rule("10.0.19041"), Some(TimerRule::PerProcess));
        assert_eq!(rule("10.0.22000"), Some(TimerRule::PerProcessWhileSeen));
        assert_eq!((rule(""), rule("10.0"), rule("10.0.x")), (None, None, None));
    }
}
