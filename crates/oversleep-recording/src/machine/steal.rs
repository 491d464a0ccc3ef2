//! Time that the host took from this guest's processors.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Stolen time of one processor since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Steal {
    /// Number of the processor.
    pub cpu: u32,
    /// Stolen time in whole `USER_HZ` ticks, 10 ms usually; 0 with a host that does not tell its guest.
    #[serde(rename = "stolen_ns")]
    pub stolen: Nanos,
}
