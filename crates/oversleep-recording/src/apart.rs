//! A difference with its interval.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// How far one thing lies above another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Apart {
    /// How far.
    #[serde(rename = "size_ns")]
    pub size: Nanos,
    /// Lower end of the 95 % interval.
    #[serde(rename = "low_ns")]
    pub low: Nanos,
    /// Upper end of the 95 % interval.
    #[serde(rename = "high_ns")]
    pub high: Nanos,
}
