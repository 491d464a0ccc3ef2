//! The idle states of processors, and how long leaving them takes.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// The kernel's handling of idle processors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Idle {
    /// Driver that provides the idle states: `intel_idle`, `acpi_idle`, `haltpoll`.
    pub driver: Option<String>,
    /// Governor that chooses among them: `menu`, `teo`, `haltpoll`.
    pub governor: Option<String>,
    /// Idle states of the first processor, shallowest first.
    pub states: Vec<IdleState>,
    /// How long a guest polls before it halts (parameter of `haltpoll`).
    #[serde(rename = "guest_halt_poll_ns")]
    pub guest_halt_poll: Option<Nanos>,
    /// Longest wake-up latency that some process tolerated when the facts were read (`/dev/cpu_dma_latency`); `None` if none asked for
    /// less than usual, or this user may not read it.
    #[serde(rename = "latency_hold_ns", skip_serializing_if = "Option::is_none")]
    pub latency_hold: Option<Nanos>,
}

/// One idle state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct IdleState {
    /// Name of the state: `POLL`, `C1E`.
    pub name: String,
    /// Exit latency according to the driver.
    #[serde(rename = "latency_ns")]
    pub latency: Option<Nanos>,
    /// Shortest stay for which the state is worth entering (target residency).
    #[serde(rename = "residency_ns")]
    pub residency: Option<Nanos>,
    /// Whether the state was switched off.
    pub disabled: Option<bool>,
}
