//! What kernel events said of a cell's sleeps.

use crate::Apart;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Sleeps of a cell that were traced, in figures. They are none of the recording's samples: tracing has its price.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Traced {
    /// The cell.
    pub cell: u32,
    /// The tier of evidence, as `oversleep trace` names it.
    pub tier: String,
    /// Sleeps that were traced.
    pub sleeps: u64,
    /// Those whose chain of marks is whole; all figures are of these.
    pub complete: u64,
    /// The median oversleep while tracing.
    #[serde(rename = "traced_p50_ns")]
    pub traced_p50: Option<Nanos>,
    /// The median oversleep between, untraced.
    #[serde(rename = "untraced_p50_ns")]
    pub untraced_p50: Option<Nanos>,
    /// How much later traced blocks were than the untraced ones beside them, at the median of their medians.
    #[serde(rename = "trace_shift", skip_serializing_if = "Option::is_none")]
    pub shift: Option<Apart>,
    /// Cause by cause.
    pub parts: Vec<TracedPart>,
}

/// One cause's part of the traced oversleeps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct TracedPart {
    /// The cause's identifier, or `unexplained`.
    pub cause: String,
    /// Its median over the sleeps.
    #[serde(rename = "p50_ns")]
    pub p50: Nanos,
    /// Lower end of the median's 95 % interval.
    #[serde(rename = "low_ns")]
    pub low: Nanos,
    /// Upper end of the median's 95 % interval.
    #[serde(rename = "high_ns")]
    pub high: Nanos,
    /// Its time in the sleep whose oversleep is the 99th percentile, where the sleeps carry one.
    #[serde(rename = "at_p99_ns")]
    pub at_p99: Option<Nanos>,
    /// Its share of all oversleep time, 0 to 1.
    pub share: f64,
}
