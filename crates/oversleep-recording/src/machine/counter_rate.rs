//! The rate of a counter behind a clock or a tick.

use serde::{Deserialize, Serialize};

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
