//! Predicted lateness under a remedy.

use serde::{Deserialize, Serialize};

/// Predicted lateness of a cell under a remedy, from only its samples and the model of the findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Predicted {
    /// Median; `None` with too few samples.
    pub p50: Option<PredictedQuantile>,
    /// 99th percentile; `None` with too few samples.
    pub p99: Option<PredictedQuantile>,
}

/// A quantile before and, as predicted, after a remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredictedQuantile {
    /// Measured value, in ns.
    pub before_ns: i64,
    /// Predicted value, in ns.
    pub after_ns: i64,
    /// Lower end of the prediction's 95 % interval, in ns.
    pub low_ns: i64,
    /// Upper end of the prediction's 95 % interval, in ns.
    pub high_ns: i64,
}
