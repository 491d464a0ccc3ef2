//! Sleeps that were later than allowed, each with its cause.

mod sentence;

use super::breakdown::Breakdown;
use super::trace::Culprit;
use crate::LateAccount;
use crate::trace::Tier;
use oversleep_sys::units::Nanos;
use serde::{Serialize, Serializer};

/// The late sleeps of a run that watched for them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateSleeps {
    /// Counts of late sleeps.
    pub account: LateAccount,
    /// Late sleeps that were examined.
    #[serde(serialize_with = "with_sentences")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Explained<'static>>"))]
    pub sleeps: Vec<NamedLateSleep>,
}

/// One late sleep with its cause.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedLateSleep {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Number of the sample.
    pub sequence: u64,
    /// Name of the method.
    #[serde(skip)]
    pub method: String,
    /// Requested duration.
    #[serde(skip)]
    pub requested: Nanos,
    /// Processor on which the sleep ended, where known.
    pub cpu: Option<u16>,
    /// End of the sleep, on its cell's clock.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// Lateness.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// Cause, in a phrase that is the same for all sleeps with this cause.
    pub cause: String,
    /// Tier of the evidence for the cause; `none` in JSON where there is no evidence.
    #[serde(serialize_with = "tier_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub witness: Option<Tier>,
    /// Why no better evidence could be had; empty if none better is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// File with the part of the trace around the sleep, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Lateness part by part; `None` without evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Breakdown>,
    /// Who used the processor while the sleeper waited.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub culprits: Vec<Culprit>,
    /// Whether the sleeper had a real-time policy, as far as is known.
    #[serde(skip)]
    pub real_time: bool,
}

impl NamedLateSleep {
    /// Returns the deadline, on the cell's clock.
    pub fn due(&self) -> Nanos {
        self.at.saturating_sub(self.length)
    }

    /// Returns the name of the evidence's tier, or `none`.
    pub fn witness_name(&self) -> &'static str {
        self.witness.map_or("none", Tier::name)
    }
}

/// A late sleep with an explanation in one sentence.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Explained<'a> {
    #[serde(flatten)]
    sleep: &'a NamedLateSleep,
    /// Explanation in one sentence.
    explanation: String,
}

fn with_sentences<S: Serializer>(sleeps: &[NamedLateSleep], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sleeps.iter().map(|sleep| Explained { sleep, explanation: sleep.explanation() }))
}

#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)] // serde's signature
fn tier_or_none<S: Serializer>(tier: &Option<Tier>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(tier.map_or("none", Tier::name))
}
