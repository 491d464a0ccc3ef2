//! The sizes that several witnesses give for the same lateness, side by side.

use super::{Interventions, SizeInterval};
use crate::Traced;
use serde::Serialize;

/// The lateness of one cell, cause by cause.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SideBySide {
    /// Number of the cell.
    pub cell: u32,
    /// Causes of the median.
    pub p50: Vec<CauseEstimates>,
    /// Causes of the 99th percentile; empty where no witness has enough samples.
    pub p99: Vec<CauseEstimates>,
    /// Figures of the tracing and its cost, if sleeps were traced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Traced>,
}

/// One cause, or the remainder (`unexplained`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CauseEstimates {
    /// The cause's identifier, or `unexplained`.
    pub cause: String,
    /// Size according to the pattern.
    pub pattern: Option<Estimate>,
    /// Size according to the intervention.
    pub intervention: Option<Estimate>,
    /// Size according to the trace.
    pub trace: Option<Estimate>,
    /// Whether the witnesses agree.
    pub verdict: WitnessAgreement,
    /// Confidence that the cause exists, all witnesses together, 0 to 1; `None` if none finds it.
    pub confidence: Option<f64>,
}

/// A size in ns with its 95 % interval, where there is one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// Estimate.
    #[serde(rename = "size_ns")]
    pub size: f64,
    /// Lower end of the interval.
    #[serde(rename = "low_ns")]
    pub low: Option<f64>,
    /// Upper end of the interval.
    #[serde(rename = "high_ns")]
    pub high: Option<f64>,
    /// Whether the size is an upper bound: any smaller size agrees with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_most: bool,
}

impl Estimate {
    /// Returns a size without an interval.
    pub fn without_interval(size: f64) -> Self {
        Self { size, low: None, high: None, at_most: false }
    }

    /// Returns whether the cause exists according to this size: its whole interval is above zero.
    pub fn finds(self) -> bool {
        self.size > 0.0 && self.low.is_none_or(|low| low > 0.0)
    }
}

impl From<SizeInterval> for Estimate {
    fn from(part: SizeInterval) -> Self {
        Self { size: part.size, low: Some(part.low), high: Some(part.high), at_most: false }
    }
}

/// The comparison of the witnesses of one cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WitnessAgreement {
    /// Two or three witnesses give a size, and all pairs of intervals overlap.
    Agree,
    /// Two or three witnesses give a size, and some pair of intervals does not overlap.
    Differ,
    /// Only one witness gives a size, or none with an interval.
    Alone,
}

/// The results of all witnesses beyond the pattern.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corroboration {
    /// Results of the interventions, if the recording contains any.
    pub interventions: Option<Interventions>,
    /// Cells for which there is more than the pattern.
    pub cells: Vec<SideBySide>,
}
