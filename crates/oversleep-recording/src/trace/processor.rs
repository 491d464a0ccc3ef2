//! The kernel's counters of a processor.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// The increase of a processor's counters between two readings; `None` where the counter cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ProcessorCounters {
    /// Time stolen by the host, in steps of `USER_HZ` ticks (10 ms usually).
    #[serde(rename = "stolen_ns", skip_serializing_if = "Option::is_none")]
    pub stolen: Option<Nanos>,
    /// Number of interrupts by name, where above 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupts: Option<Vec<(String, u64)>>,
    /// Number of softirqs by name, where above 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub softirqs: Option<Vec<(String, u64)>>,
    /// Number of system-management interrupts (`MSR_SMI_COUNT`, 0x34; Intel since Nehalem).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smi: Option<u64>,
    /// Number of times the processor slowed down because it was hot (`thermal_throttle/core_throttle_count`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heat: Option<u64>,
}
