//! Time the host gave to others while this guest wanted to run.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Stolen time of one processor since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Steal {
    /// The processor.
    pub cpu: u32,
    /// In whole `USER_HZ` ticks, 10 ms usually; a host that does not tell its guest leaves it at 0.
    #[serde(rename = "stolen_ns")]
    pub stolen: Nanos,
}
