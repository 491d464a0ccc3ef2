//! What is known of the program that slept in some cells in our place.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A program that speaks the protocol of probes: it sleeps, and prints when each sleep began and ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Probe {
    /// Its name: the cells whose method this is are its own.
    pub method: String,
    /// The language runtime and its version, as it prints them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// Whether its clock is the system's monotonic one; otherwise it was tied to that by handshakes.
    pub monotonic: bool,
    /// Whether its rows are the ticks of a schedule, each from the tick before.
    pub schedule: bool,
    /// What two readings of its clock cost, by its own account.
    #[serde(rename = "clock_cost_ns", skip_serializing_if = "Option::is_none")]
    pub clock_cost: Option<Nanos>,
    /// How wrong times on its clock may be after they were tied to the monotonic clock. Durations are not affected.
    #[serde(rename = "clock_error_ns", skip_serializing_if = "Option::is_none")]
    pub clock_error: Option<Nanos>,
    /// Sleeps made before the first sample, so that compilers and caches are warm; they are in no figure.
    pub warm_up: u64,
    /// Collections of garbage that it counted while it slept.
    pub collections: u64,
    /// Why it did not sleep all that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}
