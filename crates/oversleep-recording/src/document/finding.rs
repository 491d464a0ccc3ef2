//! What is found: one named cause, how large, how sure, how known, and what to do about it.

use super::{Cause, Evidence, Predicted};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a finding is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Witness {
    /// From the shape of the samples.
    Pattern,
    /// One thing was changed and it moved.
    Intervention,
    /// Kernel events.
    Trace,
}

/// The unit of a finding's size, as files write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Unit {
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanoseconds,
    /// Parts per million.
    #[serde(rename = "ppm")]
    Ppm,
    /// Share of the request: 0.001 is one thousandth.
    #[serde(rename = "ratio")]
    Ratio,
    /// Share of what was asked for: 0.1 is one in ten.
    #[serde(rename = "share")]
    Share,
    /// Microseconds per second.
    #[serde(rename = "us/s")]
    MicrosPerSecond,
}

/// What to do, on one system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remedy {
    /// The system's name, as the catalogue writes it; `any` where it is the program that changes.
    pub system: String,
    /// The command or call.
    pub command: String,
    /// What it does, and its price.
    pub note: String,
    /// What lateness would be with it; `None` where the samples and the model do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Predicted>,
}

impl Remedy {
    /// Returns a remedy of which nothing is predicted.
    pub fn new(system: &str, command: &str, note: &str) -> Self {
        Self { system: system.to_owned(), command: command.to_owned(), note: note.to_owned(), predicted: None }
    }
}

/// One named cause.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The cause, with the numbers it rests on.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// How large, in `unit`.
    pub size: f64,
    /// The unit of `size`, `low` and `high`.
    pub unit: Unit,
    /// Lower end of the 95 % interval; `None` where the samples give none.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// How sure, 0 to 1: that the cause is there at all, not that the size is exact.
    pub confidence: f64,
    /// Share of the cell's total lateness, 0 to 1; `None` where the finding is not lateness of one cell.
    pub share: Option<f64>,
    /// How it is known.
    pub witnesses: Vec<Witness>,
    /// What would look the same.
    pub confounders: Vec<String>,
    /// What to do, per system.
    pub remedy: Vec<Remedy>,
}

impl Finding {
    /// Returns the cause.
    pub const fn cause(&self) -> Cause {
        self.evidence.cause()
    }

    /// Returns what to do on a system, by the name that `uname` gives it, or else on any.
    pub fn remedy_on(&self, system: &str) -> Option<&Remedy> {
        let system = super::remedy::system_of(system);
        let of = |wanted: &str| self.remedy.iter().find(|remedy| remedy.system == wanted);
        of(system).or_else(|| of("any"))
    }

    /// Returns a finding of the pattern witness, with the cause's own confounders and remedies.
    pub fn new(evidence: impl Into<Evidence>, size: f64, unit: Unit) -> Self {
        let evidence = evidence.into();
        let cause = evidence.cause();
        Self {
            evidence,
            size,
            unit,
            low: None,
            high: None,
            confidence: 0.9,
            share: None,
            witnesses: vec![Witness::Pattern],
            confounders: cause.confounders().iter().map(|&text| text.to_owned()).collect(),
            remedy: cause.remedies(),
        }
    }

    /// Returns the finding with a 95 % interval.
    #[must_use]
    pub fn between(mut self, low: f64, high: f64) -> Self {
        (self.low, self.high) = (Some(low), Some(high));
        self
    }

    /// Returns the finding with this confidence, held within 0 to 1.
    #[must_use]
    pub fn sure(mut self, confidence: f64) -> Self {
        self.confidence = if confidence.is_nan() { 0.0 } else { confidence.clamp(0.0, 1.0) };
        self
    }
}

/// A question the samples leave open, and the experiment that would answer it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undecided {
    /// The question.
    pub question: String,
    /// Why these samples do not answer it.
    pub why: String,
    /// A command line whose recording would.
    pub experiment: String,
    /// What would have given these samples: names of causes, with a rate where several fit (`tick-quantised 250 Hz`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

/// The late sleep of one cell split into causes, in nanoseconds; the parts sum to the quantile exactly.
pub type Split = BTreeMap<String, i64>;

/// The budget of one cell. `None` where the cell has too few samples for the quantile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Budget {
    /// The median oversleep, split; needs 5 samples.
    pub p50_ns: Option<Split>,
    /// The 99th percentile, split; needs 100 samples.
    pub p99_ns: Option<Split>,
}

/// What is found in one cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CellDiagnosis {
    /// The cell's number in the recording.
    pub cell: u32,
    /// Its findings, largest share first.
    pub findings: Vec<Finding>,
    /// Its lateness split among them.
    pub budget: Budget,
}

/// What is found in a recording.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosis {
    /// Per cell, in the plan's order; cells without usable samples are left out.
    pub cells: Vec<CellDiagnosis>,
    /// What concerns the whole machine.
    #[serde(rename = "findings")]
    pub machine: Vec<Finding>,
    /// What the samples do not tell.
    pub undecided: Vec<Undecided>,
}

impl Diagnosis {
    /// Returns every finding, of the machine and of every cell.
    pub fn all(&self) -> impl Iterator<Item = &Finding> {
        self.machine.iter().chain(self.cells.iter().flat_map(|cell| &cell.findings))
    }

    /// Returns whether a cause is found anywhere.
    pub fn has(&self, cause: Cause) -> bool {
        self.all().any(|finding| finding.cause() == cause)
    }
}
