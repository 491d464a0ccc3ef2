//! Figures of a cell's traced sleeps, from kernel events.

use crate::Difference;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Figures of a cell's sleeps while traced. They are not among the recording's samples, because tracing has a cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Traced {
    /// ID of the cell.
    pub cell: u32,
    /// Tier of evidence, as `oversleep trace` names it.
    pub tier: String,
    /// Number of traced sleeps.
    pub sleeps: u64,
    /// Number of sleeps with a complete chain of marks; all figures are of these.
    pub complete: u64,
    /// Median oversleep of the traced sleeps.
    #[serde(rename = "traced_p50_ns")]
    pub traced_p50: Option<Nanos>,
    /// Median oversleep of the untraced sleeps in between.
    #[serde(rename = "untraced_p50_ns")]
    pub untraced_p50: Option<Nanos>,
    /// How much later traced blocks were than their untraced neighbours: median of the differences of block medians.
    #[serde(rename = "trace_shift", skip_serializing_if = "Option::is_none")]
    pub shift: Option<Difference>,
    /// Parts of the oversleep, cause by cause.
    pub parts: Vec<TracedPart>,
}

/// The part of the traced oversleeps that is due to one cause.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct TracedPart {
    /// Identifier of the cause, or `unexplained`.
    pub cause: String,
    /// Median over the sleeps.
    #[serde(rename = "p50_ns")]
    pub p50: Nanos,
    /// Lower end of the median's 95 % interval.
    #[serde(rename = "low_ns")]
    pub low: Nanos,
    /// Upper end of the median's 95 % interval.
    #[serde(rename = "high_ns")]
    pub high: Nanos,
    /// Time in the sleep whose oversleep is the 99th percentile, where there are enough sleeps.
    #[serde(rename = "at_p99_ns")]
    pub at_p99: Option<Nanos>,
    /// Share of all oversleep time, 0 to 1.
    pub share: f64,
}
