//! Sleeps that were later than allowed, each with what it is put down to.

mod sentence;

use super::breakdown::Breakdown;
use super::trace::Culprit;
use crate::LateAccount;
use crate::trace::Tier;
use oversleep_sys::units::Nanos;
use serde::{Serialize, Serializer};

/// All late sleeps of a run that watched for them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateSleeps {
    /// How many there were.
    pub account: LateAccount,
    /// Those that were examined.
    #[serde(serialize_with = "with_sentences")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Explained<'static>>"))]
    pub sleeps: Vec<NamedLateSleep>,
}

/// One late sleep.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedLateSleep {
    /// The sample's cell.
    pub cell: u32,
    /// Its thread.
    pub thread: u16,
    /// Its number.
    pub sequence: u64,
    /// Its method.
    #[serde(skip)]
    pub method: String,
    /// What was asked.
    #[serde(skip)]
    pub requested: Nanos,
    /// The processor on which it ended, where known.
    pub cpu: Option<u16>,
    /// When it ended, on its cell's clock.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// How late it was.
    #[serde(rename = "length_ns")]
    pub length: Nanos,
    /// What it is put down to, in a phrase that is the same for all of its kind.
    pub cause: String,
    /// The tier of evidence that this rests on; as JSON `none` where there is no evidence.
    #[serde(serialize_with = "tier_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub witness: Option<Tier>,
    /// Why nothing better could be had; empty if nothing better is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// The file that holds the part of the trace around it as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Its lateness part by part; `None` without evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Breakdown>,
    /// Who had the processor meanwhile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub culprits: Vec<Culprit>,
    /// What an older version of this program said of it: such recordings keep the sentence in place of the evidence.
    #[serde(skip)]
    pub told: Option<String>,
}

impl NamedLateSleep {
    /// Returns when it was due, on its cell's clock.
    pub fn due(&self) -> Nanos {
        self.at.saturating_sub(self.length)
    }

    /// Returns the name of what its explanation rests on: a tier's, or `none`.
    pub fn witness_name(&self) -> &'static str {
        self.witness.map_or("none", Tier::name)
    }
}

/// A late sleep with its sentence.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Explained<'a> {
    #[serde(flatten)]
    sleep: &'a NamedLateSleep,
    /// What is known of it, in one sentence.
    explanation: String,
}

fn with_sentences<S: Serializer>(sleeps: &[NamedLateSleep], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sleeps.iter().map(|sleep| Explained { sleep, explanation: sleep.explanation() }))
}

#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)] // serde's signature
fn tier_or_none<S: Serializer>(tier: &Option<Tier>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(tier.map_or("none", Tier::name))
}
