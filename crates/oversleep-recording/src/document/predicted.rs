//! What lateness would be under a remedy.

use serde::{Deserialize, Serialize};

/// A cell's lateness under a remedy, from its samples and the model of what was found alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Predicted {
    /// The median; `None` where the samples carry none.
    pub p50: Option<PredictedQuantile>,
    /// The 99th percentile; `None` where the samples carry none.
    pub p99: Option<PredictedQuantile>,
}

/// A quantile as it is, and as it would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredictedQuantile {
    /// As it is.
    pub before_ns: i64,
    /// As it would be.
    pub after_ns: i64,
    /// Lower end of the 95 % interval of that.
    pub low_ns: i64,
    /// Upper end.
    pub high_ns: i64,
}
