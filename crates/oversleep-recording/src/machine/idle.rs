//! What processors do while nothing runs, and how long it takes to leave it.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// The kernel's handling of idle processors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Idle {
    /// What knows the states: `intel_idle`, `acpi_idle`, `haltpoll`.
    pub driver: Option<String>,
    /// What chooses among them: `menu`, `teo`, `haltpoll`.
    pub governor: Option<String>,
    /// The states of the first processor, shallowest first.
    pub states: Vec<IdleState>,
    /// How long a guest polls before it halts (`haltpoll`'s parameter).
    #[serde(rename = "guest_halt_poll_ns")]
    pub guest_halt_poll: Option<Nanos>,
}

/// One idle state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct IdleState {
    /// Its name: `POLL`, `C1E`.
    pub name: String,
    /// How long leaving it takes, by the driver's table.
    #[serde(rename = "latency_ns")]
    pub latency: Option<Nanos>,
    /// How long it must last to be worth it.
    #[serde(rename = "residency_ns")]
    pub residency: Option<Nanos>,
    /// Whether somebody switched it off.
    pub disabled: Option<bool>,
}
