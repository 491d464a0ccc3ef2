//! Facts about the program that slept in some cells in our place.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A program that follows the probe protocol: it sleeps, and prints when each sleep began and ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Probe {
    /// Name of the method: the program slept in the cells with this method.
    pub method: String,
    /// Language runtime and its version, as the runtime prints them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Whether its clock is the system's monotonic one; otherwise the clocks were related by handshakes.
    pub monotonic: bool,
    /// Whether its samples are the ticks of a schedule, each set from the previous tick.
    pub schedule: bool,
    /// Cost of two readings of its clock, as the program measured it.
    #[serde(rename = "clock_cost_ns", skip_serializing_if = "Option::is_none")]
    pub clock_cost: Option<Nanos>,
    /// How wrong times on its clock may be after they were related to the monotonic clock. Durations are not affected.
    #[serde(rename = "clock_error_ns", skip_serializing_if = "Option::is_none")]
    pub clock_error: Option<Nanos>,
    /// Number of sleeps before the first sample, so that compilers and caches are warm; they are in no figure.
    pub warm_up: u64,
    /// Number of garbage collections that it counted while it slept.
    pub collections: u64,
    /// Reason why it did not make all sleeps, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}
