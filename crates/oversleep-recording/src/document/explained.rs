//! What the findings of a measurement are printed with: the check-up, `explain` and `diagnose`.

use super::{Budget, CellFigures, Finding, Interventions, Measured, ModelOverlay, SideBySide, Undecided};
use serde::Serialize;

/// A cell's figures, with what was found in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainedCell {
    /// Its figures.
    #[serde(flatten)]
    pub figures: CellFigures,
    /// Its findings, largest share first.
    pub findings: Vec<Finding>,
    /// Its lateness split among them; `None` for a cell without usable samples.
    pub budget: Option<Budget>,
    /// What each witness says of it, where there is more than the pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witnesses: Option<SideBySide>,
}

/// What the check-up prints: figures with findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checkup {
    /// What was measured.
    #[serde(flatten)]
    pub measured: Measured<ExplainedCell>,
    /// What concerns the whole machine.
    pub findings: Vec<Finding>,
    /// What the samples do not tell.
    pub undecided: Vec<Undecided>,
}

/// What `diagnose` prints: the same, with what each change did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosed {
    /// Figures and findings.
    #[serde(flatten)]
    pub found: Checkup,
    /// The effects of every change; `None` where too few blocks were slept.
    pub interventions: Option<Interventions>,
}

/// What `explain` prints: the same, with what was looked at and a model of what was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explained {
    /// Figures, findings and effects.
    #[serde(flatten)]
    pub diagnosed: Diagnosed,
    /// How much of the recording was looked at.
    pub looked_at: Coverage,
    /// A model with the parameters found, laid over the sleeps.
    pub model: ModelOverlay,
}

/// How many sleeps were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// Sleeps in the recording.
    pub samples: u64,
    /// Sleeps kept without a gap.
    pub first: u64,
    /// Sleeps kept from all over the run; 0 where the recording was kept whole.
    pub spread: u64,
}
