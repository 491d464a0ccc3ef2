//! What the witnesses say of the same lateness, side by side.

use super::{Interventions, Part};
use crate::Traced;
use serde::Serialize;

/// One cell's lateness, cause by cause.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SideBySide {
    /// The cell.
    pub cell: u32,
    /// The median.
    pub p50: Vec<Row>,
    /// The 99th percentile; empty where nobody can speak of it.
    pub p99: Vec<Row>,
    /// What tracing was and what it cost, if there was any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Traced>,
}

/// One cause, or what is left (`unexplained`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// The cause's identifier, or `unexplained`.
    pub cause: String,
    /// What the pattern says.
    pub pattern: Option<Said>,
    /// What the intervention says.
    pub intervention: Option<Said>,
    /// What the trace says.
    pub trace: Option<Said>,
    /// Whether they agree.
    pub verdict: Verdict,
    /// How sure the cause is, all witnesses together; `None` if nobody finds it.
    pub confidence: Option<f64>,
}

/// A size in ns with its 95 % interval, where there is one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Said {
    /// How large.
    #[serde(rename = "size_ns")]
    pub size: f64,
    /// Lower end.
    #[serde(rename = "low_ns")]
    pub low: Option<f64>,
    /// Upper end.
    #[serde(rename = "high_ns")]
    pub high: Option<f64>,
    /// Whether it is the most that it can be: anything less agrees with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_most: bool,
}

impl Said {
    /// Returns a size without an interval.
    pub fn bare(size: f64) -> Self {
        Self { size, low: None, high: None, at_most: false }
    }

    /// Returns whether it says that the cause is there: the whole interval above nothing.
    pub fn finds(self) -> bool {
        self.size > 0.0 && self.low.is_none_or(|low| low > 0.0)
    }
}

impl From<Part> for Said {
    fn from(part: Part) -> Self {
        Self { size: part.size, low: Some(part.low), high: Some(part.high), at_most: false }
    }
}

/// What several witnesses of one cause come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Two or three speak, and every two of them overlap.
    Agree,
    /// Two or three speak, and some two of them do not overlap.
    Differ,
    /// Only one speaks, or none with an interval.
    Alone,
}

/// Everything said beyond the pattern.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corroboration {
    /// The interventions, if the recording holds any.
    pub interventions: Option<Interventions>,
    /// Cells of which more than the pattern speaks.
    pub cells: Vec<SideBySide>,
}
