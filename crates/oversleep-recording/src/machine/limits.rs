//! The limits of this process.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Limits that decide which settings the process may change. `None`: unlimited, or not known on this system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Limits {
    /// Whether the process runs as root.
    pub root: Option<bool>,
    /// Highest real-time priority (`RLIMIT_RTPRIO`); 0 for none.
    pub realtime_priority: Option<u64>,
    /// 20 minus the lowest niceness (`RLIMIT_NICE`); 0 if the niceness may not be lowered.
    pub nice: Option<u64>,
    /// Amount of memory that may be locked (`RLIMIT_MEMLOCK`).
    pub memory_lock_bytes: Option<u64>,
    /// Kernel's limit on all real-time threads together.
    pub realtime_guard: Option<RtGuard>,
}

/// The kernel's limit on real-time threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RtGuard {
    /// Time that real-time threads may use per period; `None` if all of it.
    #[serde(rename = "runtime_ns")]
    pub runtime: Option<Nanos>,
    /// Length of the period.
    #[serde(rename = "period_ns")]
    pub period: Nanos,
}

impl RtGuard {
    /// Returns the share of a processor that real-time threads may use, 0 to 1; 1 without a limit.
    pub fn share(self) -> f64 {
        match self.runtime {
            Some(runtime) if self.period > Nanos::ZERO => (runtime.as_f64() / self.period.as_f64()).min(1.0),
            _ => 1.0,
        }
    }
}
