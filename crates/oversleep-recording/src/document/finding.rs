//! Findings: a named cause each, with its size, confidence, evidence and remedy.

use super::{Cause, Evidence};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a finding is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Witness {
    /// The shape of the samples.
    Pattern,
    /// A change of one condition that moved the lateness.
    Intervention,
    /// Kernel events.
    Trace,
    /// The scheduler's counters, read before and after each sleep.
    Counters,
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
    /// Share of all requests: 0.1 is one in ten.
    #[serde(rename = "share")]
    Share,
    /// Microseconds per second.
    #[serde(rename = "us/s")]
    MicrosPerSecond,
}

/// A remedy on one system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remedy {
    /// Name of the system, as in the catalogue; `any` where the program itself has to change.
    pub system: String,
    /// Command or call.
    pub command: String,
    /// Effect of the remedy, and its cost.
    pub note: String,
    /// Predicted lateness under the remedy; `None` where the samples and the model do not give one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Predicted>,
}

impl Remedy {
    /// Returns a remedy without a prediction.
    pub fn new(system: &str, command: &str, note: &str) -> Self {
        Self { system: system.to_owned(), command: command.to_owned(), note: note.to_owned(), predicted: None }
    }

    /// Returns whether the remedy makes the sleeping thread a real-time one.
    pub fn makes_real_time(&self) -> bool {
        self.real_time_priority().is_some()
    }

    /// Returns the real-time priority that the remedy gives the sleeping thread.
    pub fn real_time_priority(&self) -> Option<i32> {
        let (priority, _) = self.command.strip_prefix(super::remedy::REAL_TIME)?.split_once(' ')?;
        priority.parse().ok()
    }
}

/// One named cause found in the samples.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The cause, with the numbers that show it.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// Size of the cause, in `unit`.
    pub size: f64,
    /// Unit of `size`, `low` and `high`.
    pub unit: Unit,
    /// Lower end of the 95 % interval; `None` where the samples give none.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// Confidence, 0 to 1, that the cause exists at all, not that the size is exact.
    pub confidence: f64,
    /// Share of the cell's total lateness, 0 to 1; `None` where the finding is not about the lateness of one cell.
    pub share: Option<f64>,
    /// Witnesses of the finding.
    pub witnesses: Vec<Witness>,
    /// Causes that would look the same in the samples.
    pub confounders: Vec<String>,
    /// Remedies, per system.
    pub remedy: Vec<Remedy>,
}

impl Finding {
    /// Returns the cause.
    pub const fn cause(&self) -> Cause {
        self.evidence.cause()
    }

    /// Returns the remedy for a system, given the name that `uname` reports, or else a remedy for any system.
    pub fn remedy_on(&self, system: &str) -> Option<&Remedy> {
        let system = super::remedy::system_of(system);
        let for_system = |wanted: &str| self.remedy.iter().find(|remedy| remedy.system == wanted);
        for_system(system).or_else(|| for_system("any"))
    }

    /// Returns a finding from the pattern, with the cause's own confounders and remedies.
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

    /// Sets the 95 % interval.
    #[must_use]
    pub fn between(mut self, low: f64, high: f64) -> Self {
        (self.low, self.high) = (Some(low), Some(high));
        self
    }

    /// Sets the confidence, limited to 0 to 1.
    #[must_use]
    pub fn sure(mut self, confidence: f64) -> Self {
        self.confidence = if confidence.is_nan() { 0.0 } else { confidence.clamp(0.0, 1.0) };
        self
    }
}

/// A question that the samples leave open, and the experiment that would answer it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undecided {
    /// The question.
    pub question: String,
    /// Why these samples do not answer it.
    pub why: String,
    /// Command line of the experiment that would answer it; of another program's samples, in words.
    pub experiment: String,
    /// Causes that would have given these samples: names, with a rate where several fit (`tick-quantised 250 Hz`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

/// A quantile of a cell's lateness split among causes, in ns; the parts sum to the quantile exactly.
pub type Split = BTreeMap<String, i64>;

/// The budget of one cell. A quantile for which the cell has too few samples is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Budget {
    /// The median oversleep, split; needs 5 samples.
    pub p50_ns: Option<Split>,
    /// The 99th percentile, split; needs 100 samples.
    pub p99_ns: Option<Split>,
}

/// The findings of one cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CellDiagnosis {
    /// Number of the cell in the recording.
    pub cell: u32,
    /// Findings in the cell, largest share first.
    pub findings: Vec<Finding>,
    /// Lateness of the cell split among the findings.
    pub budget: Budget,
}

/// The findings of a recording.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosis {
    /// Findings per cell, in the plan's order; cells without usable samples are left out.
    pub cells: Vec<CellDiagnosis>,
    /// Findings about the whole machine.
    #[serde(rename = "findings")]
    pub machine: Vec<Finding>,
    /// Questions that the samples leave open.
    pub undecided: Vec<Undecided>,
}

impl Diagnosis {
    /// Returns every finding: those about the machine, then those of every cell.
    pub fn all(&self) -> impl Iterator<Item = &Finding> {
        self.machine.iter().chain(self.cells.iter().flat_map(|cell| &cell.findings))
    }

    /// Returns whether a cause was found anywhere.
    pub fn has(&self, cause: Cause) -> bool {
        self.all().any(|finding| finding.cause() == cause)
    }
}

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
