//! Measurements with their findings: what the check-up, `explain` and `diagnose` print.

use super::{Budget, CellFigures, Finding, Interventions, Measured, ModelOverlay, SideBySide, Undecided};
use serde::Serialize;

/// The figures of a cell with its findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainedCell {
    /// Figures of the cell.
    #[serde(flatten)]
    pub figures: CellFigures,
    /// Findings in the cell, largest share first.
    pub findings: Vec<Finding>,
    /// Lateness of the cell split among the causes; `None` for a cell without usable samples.
    pub budget: Option<Budget>,
    /// What each witness says of the cell, where there is more than the pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witnesses: Option<SideBySide>,
}

/// The document of the check-up: figures with findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checkup {
    /// The measurement.
    #[serde(flatten)]
    pub measured: Measured<ExplainedCell>,
    /// Findings about the whole machine.
    pub findings: Vec<Finding>,
    /// Questions that the samples leave open.
    pub undecided: Vec<Undecided>,
}

/// The document of `diagnose`: a check-up's, with the effect of each change.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosed {
    /// Figures and findings.
    #[serde(flatten)]
    pub found: Checkup,
    /// Effects of every change; `None` where there are too few blocks.
    pub interventions: Option<Interventions>,
}

/// The document of `explain`: that of `diagnose`, with the coverage and a model of the findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explained {
    /// Figures, findings and effects.
    #[serde(flatten)]
    pub diagnosed: Diagnosed,
    /// How much of the recording was analysed.
    pub looked_at: Coverage,
    /// A model with the parameters found, compared with the sleeps.
    pub model: ModelOverlay,
}

/// How many sleeps were analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// Number of sleeps in the recording.
    pub samples: u64,
    /// Number of sleeps kept without a gap.
    pub first: u64,
    /// Number of sleeps kept from all parts of the run; 0 where the recording was kept whole.
    pub spread: u64,
}
