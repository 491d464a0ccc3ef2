//! Where the lateness of traced sleeps went.

use super::breakdown::{Breakdown, PartKind};
use super::late::LateSleeps;
use crate::RefusedTier;
use crate::plan::Conditions;
use crate::trace::Tier;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::collections::BTreeMap;

/// What is printed of traced sleeps: the document itself of a single traced cell, a list of several.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Traced<'a> {
    #[serde(flatten)]
    traces: OneOrSeveral<'a>,
    /// Late sleeps that were examined, with `--on-late`.
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<&'a LateSleeps>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum OneOrSeveral<'a> {
    One(&'a Trace),
    Several {
        /// The document's version.
        format: u32,
        /// Every traced cell's.
        breakdowns: &'a [Trace],
    },
}

impl<'a> Traced<'a> {
    /// Returns the document of the traced cells of a recording.
    pub fn new(traces: &'a [Trace], late: Option<&'a LateSleeps>) -> Self {
        let traces = match traces {
            [one] => OneOrSeveral::One(one),
            breakdowns => OneOrSeveral::Several { format: 1, breakdowns },
        };
        Self { traces, late }
    }
}

/// One method × request × condition, traced.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trace {
    /// The document's version.
    pub format: u32,
    /// The method.
    pub method: String,
    /// What was asked.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// Under which conditions.
    pub conditions: TraceConditions,
    /// The tier of evidence.
    pub tier: Tier,
    /// Whether the thread's own switch records were there too.
    pub own_switches: bool,
    /// Why each higher tier could not be had.
    pub higher_tiers: Vec<RefusedTier>,
    /// The traced sleeps in figures.
    pub trace: Summary,
    /// The share of traced sleeps whose chain of marks is whole, 0 to 1; `None` without any.
    pub complete_share: Option<f64>,
    /// The oversleep of all traced sleeps, their chains whole or not.
    pub traced: Spread,
    /// The untraced sleeps beside them.
    pub untraced: Untraced,
    /// How much later traced blocks were than the untraced ones beside them, at the median of their medians.
    #[serde(rename = "trace_shift_ns")]
    pub trace_shift: Option<Nanos>,
    /// Lower end of its 95 % interval.
    #[serde(rename = "trace_shift_low_ns")]
    pub trace_shift_low: Option<Nanos>,
    /// Upper end of its 95 % interval.
    #[serde(rename = "trace_shift_high_ns")]
    pub trace_shift_high: Option<Nanos>,
    /// Pairs of blocks that were compared.
    #[serde(skip)]
    pub pairs: usize,
    /// Where the switches of a processor did not join up: threads hidden from the trace.
    pub hidden_breaks: u64,
    /// Events lost, at least: where the kernel does not say how many, a gap counts as one.
    pub lost_events: u64,
    /// Sleeps that a signal or an error ended; in no figure.
    pub interrupted: u64,
    /// Why tracing ended before its time, if it did.
    pub ended_early: Option<Refusal>,
    /// What could not be had.
    pub unavailable: Vec<Lacking>,
    /// Every traced sleep's breakdown, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sleeps: Option<Vec<Breakdown>>,
}

/// Conditions as they were asked for and as they were read back.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceConditions {
    /// Asked for.
    pub asked: Conditions,
    /// Read back.
    pub obtained: Conditions,
}

/// Untraced sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Untraced {
    /// How many.
    pub n: u64,
    /// Their oversleep.
    pub spread: Spread,
}

/// Something that could not be had.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lacking {
    /// What.
    pub what: String,
    /// Why not.
    pub why: Refusal,
    /// Which kind of thing it is.
    #[serde(skip)]
    pub kind: LackingKind,
}

/// What can be lacking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LackingKind {
    /// An event that the kernel does not have.
    Event,
    /// A condition.
    Condition,
}

/// What a run's breakdowns say together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Sleeps that were traced.
    pub sleeps: u64,
    /// Those whose chain is whole. All figures are of these.
    pub complete: u64,
    /// Why the others are not, and how many each.
    pub partial: BTreeMap<String, u64>,
    /// The oversleep.
    pub oversleep: Spread,
    /// The budget of the typical sleep and of the late one, part by part.
    pub parts: Vec<PartFigures>,
    /// Time without a named cause.
    pub unexplained: Spread,
    /// Its share of all oversleep time, 0 to 1; `None` without complete sleeps.
    pub unexplained_share: Option<f64>,
    /// Who had the processor while sleepers waited.
    pub culprits: Vec<Culprit>,
}

/// Two quantiles and the mean; `None` where too few sleeps carry them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spread {
    /// The median.
    #[serde(rename = "p50_ns")]
    pub p50: Option<Nanos>,
    /// 99 of 100 are at or below.
    #[serde(rename = "p99_ns")]
    pub p99: Option<Nanos>,
    /// The mean.
    #[serde(rename = "mean_ns")]
    pub mean: Option<f64>,
}

/// One kind of part.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartFigures {
    /// Which.
    pub kind: PartKind,
    /// Its own distribution over the complete sleeps, 0 where it did not occur. Medians of parts do not sum to the
    /// median of the whole; [`PartFigures::typical`] and [`PartFigures::late`] do.
    pub spread: Spread,
    /// Its time in the sleep whose oversleep is the median.
    #[serde(rename = "at_p50_ns")]
    pub typical: Option<Nanos>,
    /// Its time in the sleep whose oversleep is the 99th percentile.
    #[serde(rename = "at_p99_ns")]
    pub late: Option<Nanos>,
    /// Its share of all oversleep time, 0 to 1.
    pub share: Option<f64>,
}

/// A culprit as a run names it: threads by name, whatever their number; idle whatever its state.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Named(pub String);

/// What one culprit took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Culprit {
    /// Who.
    pub name: Named,
    /// In which kind of part.
    pub during: PartKind,
    /// All of it together.
    #[serde(rename = "time_ns")]
    pub time: Nanos,
    /// In how many sleeps.
    pub sleeps: u64,
}
