//! Breakdowns of the lateness of traced sleeps.

use super::breakdown::{Breakdown, PartKind};
use super::finding::{Diagnosis, Finding, Undecided};
use super::late::LateSleeps;
use crate::RefusedTier;
use crate::plan::Conditions;
use crate::trace::Tier;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::collections::BTreeMap;

/// The printed document of traced sleeps: one cell's document, or a list if several cells were traced.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Traced<'a> {
    #[serde(flatten)]
    traces: OneOrSeveral<'a>,
    /// Late sleeps that were examined, with `--on-late`.
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<&'a LateSleeps>,
    /// Findings about the whole machine, with `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    machine_findings: Option<&'a [Finding]>,
    /// Questions that the sleeps leave open, with `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<&'a [Undecided]>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum OneOrSeveral<'a> {
    One(&'a Trace),
    Several {
        /// Version of this document.
        format: u32,
        /// Documents of the traced cells.
        breakdowns: &'a [Trace],
    },
}

impl<'a> Traced<'a> {
    /// Returns the document of a recording's traced cells.
    pub fn new(traces: &'a [Trace], late: Option<&'a LateSleeps>) -> Self {
        let traces = match traces {
            [one] => OneOrSeveral::One(one),
            breakdowns => OneOrSeveral::Several { format: 1, breakdowns },
        };
        Self { traces, late, machine_findings: None, undecided: None }
    }

    /// Adds the findings about the whole machine, and open questions.
    #[must_use]
    pub fn with_findings(self, diagnosis: &'a Diagnosis) -> Self {
        Self { machine_findings: Some(&diagnosis.machine), undecided: Some(&diagnosis.undecided), ..self }
    }
}

/// The breakdown of one traced cell: method × request × condition.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trace {
    /// Version of this document.
    pub format: u32,
    /// Identifier of the untraced cell that was measured in turns with it.
    #[serde(skip)]
    pub untraced_cell: u32,
    /// Name of the method.
    pub method: String,
    /// Requested duration.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// Conditions, requested and obtained.
    pub conditions: TraceConditions,
    /// Tier of the evidence.
    pub tier: Tier,
    /// Whether the thread's own switch records were available too.
    pub own_switches: bool,
    /// Why each higher tier was not available.
    pub higher_tiers: Vec<RefusedTier>,
    /// Figures of the traced sleeps.
    pub trace: Summary,
    /// Share of traced sleeps with a complete chain of marks, 0 to 1; `None` without traced sleeps.
    pub complete_share: Option<f64>,
    /// Oversleep of all traced sleeps, with complete chains or not.
    pub traced: QuantilesAndMean,
    /// Untraced sleeps measured in turns with the traced ones.
    pub untraced: Untraced,
    /// How much later traced blocks were than their untraced neighbours: median of the differences of block medians.
    #[serde(rename = "trace_shift_ns")]
    pub trace_shift: Option<Nanos>,
    /// Lower end of its 95 % interval.
    #[serde(rename = "trace_shift_low_ns")]
    pub trace_shift_low: Option<Nanos>,
    /// Upper end of its 95 % interval.
    #[serde(rename = "trace_shift_high_ns")]
    pub trace_shift_high: Option<Nanos>,
    /// Number of pairs of blocks compared.
    #[serde(skip)]
    pub pairs: usize,
    /// Number of places where consecutive switches of a processor do not match: threads hidden from the trace.
    pub hidden_breaks: u64,
    /// Lower bound of the events lost: where the kernel does not give a number, a gap counts as one.
    pub lost_events: u64,
    /// Number of sleeps that a signal or an error ended; in no figure.
    pub interrupted: u64,
    /// Why tracing ended before its time, if it did.
    pub ended_early: Option<Refusal>,
    /// What was not available.
    pub unavailable: Vec<Lacking>,
    /// Findings, with `explain`: sizes and shares are those of the traced sleeps, what remedies would do is predicted for the untraced ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Breakdown of every traced sleep, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sleeps: Option<Vec<Breakdown>>,
}

/// The conditions of a traced cell, as requested and as read back.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceConditions {
    /// Conditions requested.
    pub asked: Conditions,
    /// Conditions read back.
    pub obtained: Conditions,
}

/// The untraced sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Untraced {
    /// Number of sleeps.
    pub n: u64,
    /// Quantiles of their oversleep.
    pub spread: QuantilesAndMean,
}

/// Something that was not available.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lacking {
    /// What was not available.
    pub what: String,
    /// Reason.
    pub why: Refusal,
    /// Kind of what was not available.
    #[serde(skip)]
    pub kind: LackingKind,
}

/// The kinds of things that may not be available.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LackingKind {
    /// An event that the kernel does not have.
    Event,
    /// A condition that was requested.
    Condition,
}

/// The breakdowns of a run, summarised.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Number of traced sleeps.
    pub sleeps: u64,
    /// Number of sleeps with a complete chain of marks. All figures are of these.
    pub complete: u64,
    /// Reasons why chains are incomplete, with the number of sleeps for each.
    pub partial: BTreeMap<String, u64>,
    /// Quantiles of the oversleep.
    pub oversleep: QuantilesAndMean,
    /// Budgets of the median sleep and of the one at the 99th percentile, part by part.
    pub parts: Vec<PartFigures>,
    /// Time without a named cause.
    pub unexplained: QuantilesAndMean,
    /// Share of that time in all oversleep, 0 to 1; `None` without complete sleeps.
    pub unexplained_share: Option<f64>,
    /// Who used the processor while sleepers waited.
    pub culprits: Vec<Culprit>,
}

/// Two quantiles and the mean; `None` with too few sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuantilesAndMean {
    /// The median.
    #[serde(rename = "p50_ns")]
    pub p50: Option<Nanos>,
    /// 99th percentile.
    #[serde(rename = "p99_ns")]
    pub p99: Option<Nanos>,
    /// Mean, in ns.
    #[serde(rename = "mean_ns")]
    pub mean: Option<f64>,
}

/// The figures of one kind of part.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartFigures {
    /// Kind of part.
    pub kind: PartKind,
    /// Distribution over the complete sleeps, 0 where the part did not occur. Medians of parts do not sum to the
    /// median of the whole; [`PartFigures::typical`] and [`PartFigures::late`] do.
    pub spread: QuantilesAndMean,
    /// Time of the part in the sleep whose oversleep is the median.
    #[serde(rename = "at_p50_ns")]
    pub typical: Option<Nanos>,
    /// Time of the part in the sleep whose oversleep is the 99th percentile.
    #[serde(rename = "at_p99_ns")]
    pub late: Option<Nanos>,
    /// Share of the part in all oversleep time, 0 to 1.
    pub share: Option<f64>,
}

/// The name of a culprit in a run: threads by name, whatever their ID; idle whatever its state.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Named(pub String);

/// Time taken by one culprit in one kind of part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Culprit {
    /// Name of the culprit.
    pub name: Named,
    /// Kind of part in which it used the processor.
    pub during: PartKind,
    /// Total time.
    #[serde(rename = "time_ns")]
    pub time: Nanos,
    /// Number of sleeps affected.
    pub sleeps: u64,
}
