//! A difference with its interval.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A difference of two quantities, with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// Estimate of the difference.
    #[serde(rename = "size_ns")]
    pub size: Nanos,
    /// Lower end of the 95 % interval.
    #[serde(rename = "low_ns")]
    pub low: Nanos,
    /// Upper end of the 95 % interval.
    #[serde(rename = "high_ns")]
    pub high: Nanos,
}
