//! Stalls of processors: what took them, how long they were, the worst.

mod evidence;
mod sentence;

pub use evidence::{StallEvidence, StallKind};
pub use sentence::interrupt;

use crate::{Mark, Took, Watched};
use oversleep_sys::units::Nanos;
use serde::{Serialize, Serializer};

/// What a watch for stalls saw, and what it is put down to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stalls {
    /// How each watched processor spent its time.
    pub processors: Vec<Watched>,
    /// What took time, cell by cell, the most first.
    pub took: Vec<Took>,
    /// How long the stalls were.
    pub histogram: Histogram,
    /// The longest stalls of each processor, the longest first.
    #[serde(serialize_with = "with_sentences")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<ExplainedStall<'static>>"))]
    pub worst: Vec<NamedStall>,
    /// Stalls that the recording lists without what was seen of them, as when it breaks off: they are in the figures, and
    /// in no cause.
    #[serde(skip_serializing_if = "is_zero")]
    pub unnamed: u64,
}

/// Stalls counted by length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Histogram {
    /// The edges between bins, ascending.
    pub edges_ns: Vec<i64>,
    /// Each processor's counts.
    pub processors: Vec<Counts>,
}

impl Histogram {
    /// Returns the edges in use: 1, 2, 5, 10 … of a power of ten, from 100 ns to 100 s.
    pub fn edges() -> Vec<i64> {
        let decades = (2..=10).map(|power| 10_i64.pow(power));
        decades.flat_map(|decade| [decade, 2 * decade, 5 * decade]).chain([100_000_000_000]).collect()
    }
}

/// One processor's stalls by length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts {
    /// The processor.
    pub cpu: u32,
    /// One count more than edges: below the first, between each two, at or above the last.
    pub counts: Vec<u64>,
}

/// One stall and what it is put down to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedStall {
    /// The sample's cell.
    pub cell: u32,
    /// Its thread.
    pub thread: u16,
    /// Its number.
    pub sequence: u64,
    /// The processor, where known.
    pub cpu: Option<u16>,
    /// When it began, on the monotonic clock.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// How long it was.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// What it is put down to, in one phrase that is the same for all of its kind.
    pub cause: String,
    /// What the explanation rests on: `trace`, `counters`, `none`.
    pub witness: String,
    /// Processors that stalled at the same time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<u32>,
    /// What all of this rests on; `None` in a recording of an older version, which kept a sentence instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<StallEvidence>,
    /// That sentence.
    #[serde(skip)]
    pub told: Option<String>,
}

/// A stall with its sentence.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExplainedStall<'a> {
    #[serde(flatten)]
    stall: &'a NamedStall,
    /// What is known of it, in one sentence.
    explanation: String,
}

fn with_sentences<S: Serializer>(stalls: &[NamedStall], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(stalls.iter().map(|stall| ExplainedStall { stall, explanation: stall.explanation() }))
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Older recordings hold the names beside the stalls.
impl From<&Mark> for NamedStall {
    fn from(mark: &Mark) -> Self {
        Self {
            cell: mark.cell,
            thread: mark.thread,
            sequence: mark.sequence,
            cpu: mark.cpu,
            at: mark.at,
            length: mark.length,
            cause: mark.cause.clone(),
            witness: mark.witness.clone(),
            together: mark.together.clone(),
            evidence: None,
            told: Some(mark.explanation.clone()),
        }
    }
}
