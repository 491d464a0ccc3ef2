//! Stalls of processors: their causes, their lengths, and the longest.

mod evidence;
mod sentence;

pub use evidence::{StallEvidence, StallKind};
pub use sentence::interrupt;

use crate::{CauseTime, WatchedCpu};
use oversleep_sys::units::Nanos;
use serde::{Serialize, Serializer};

/// The result of watching processors for stalls, with causes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stalls {
    /// How the time of each watched processor was spent.
    pub processors: Vec<WatchedCpu>,
    /// Causes of the stalls, cell by cell, the largest first.
    pub took: Vec<CauseTime>,
    /// Stalls by length.
    pub histogram: Histogram,
    /// Longest stalls of each processor, the longest first.
    #[serde(serialize_with = "with_sentences")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ExplainedStall<'static>>"))]
    pub worst: Vec<NamedStall>,
    /// Stalls that the recording lists without any evidence, as when it is cut off: they are in the figures, but
    /// in no cause.
    #[serde(skip_serializing_if = "is_zero")]
    pub unnamed: u64,
}

/// The stalls counted by length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Histogram {
    /// Edges between the bins, in ns, ascending.
    pub edges_ns: Vec<i64>,
    /// Counts of each processor.
    pub processors: Vec<StallCounts>,
}

impl Histogram {
    /// Returns the edges in use: 1, 2 and 5 times each power of ten, from 100 ns to 100 s.
    pub fn edges() -> Vec<i64> {
        let decades = (2..=10).map(|power| 10_i64.pow(power));
        decades.flat_map(|decade| [decade, 2 * decade, 5 * decade]).chain([100_000_000_000]).collect()
    }
}

/// The stalls of one processor by length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StallCounts {
    /// Number of the processor.
    pub cpu: u32,
    /// Counts per bin, one more than edges: below the first edge, between neighbours, at or above the last.
    pub counts: Vec<u64>,
}

/// One stall with its cause.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedStall {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Number of the sample.
    pub sequence: u64,
    /// Number of the processor, where known.
    pub cpu: Option<u16>,
    /// Beginning of the stall, on the monotonic clock.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// Duration of the stall.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// Cause, in a phrase that is the same for all stalls with this cause.
    pub cause: String,
    /// Source of the explanation: `trace`, `counters`, `none`.
    pub witness: String,
    /// Processors that stalled at the same time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<u32>,
    /// Evidence for the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<StallEvidence>,
}

/// A stall with an explanation in one sentence.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExplainedStall<'a> {
    #[serde(flatten)]
    stall: &'a NamedStall,
    /// Explanation in one sentence.
    explanation: String,
}

fn with_sentences<S: Serializer>(stalls: &[NamedStall], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(stalls.iter().map(|stall| ExplainedStall { stall, explanation: stall.explanation() }))
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn is_zero(count: &u64) -> bool {
    *count == 0
}
