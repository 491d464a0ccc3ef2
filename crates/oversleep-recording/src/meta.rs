//! The header of a recording: the facts known before its first sample.

use crate::machine::Machine;
use crate::plan::Plan;
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// The document in the head of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Version of the file format.
    pub format: u32,
    /// Program that wrote the recording, with version.
    pub tool: String,
    /// Origin of the samples.
    pub origin: Origin,
    /// When the run began (RFC 3339, UTC), if known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub started: Option<String>,
    /// Plan of the run.
    pub plan: Plan,
    /// Time after which the run was to end at the latest, if one was given.
    #[serde(rename = "time_limit_ns", skip_serializing_if = "Option::is_none", default)]
    pub time_limit: Option<Nanos>,
    /// Facts about the machine.
    pub machine: Machine,
    /// What was requested and could not be had.
    #[serde(default)]
    pub unavailable: Vec<Unobtained>,
}

impl Meta {
    /// The format that is written and read.
    pub const FORMAT: u32 = 2;

    /// Returns a head with these values, as `tool` writes it; everything else is empty.
    pub fn new(tool: &str, origin: Origin, plan: Plan) -> Self {
        Self {
            format: Self::FORMAT,
            tool: tool.to_owned(),
            origin,
            started: None,
            plan,
            time_limit: None,
            machine: Machine::default(),
            unavailable: Vec::new(),
        }
    }
}

/// The origin of samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Origin {
    /// Measured on this machine.
    Live,
    /// A simulated kernel.
    Simulated {
        /// Name of the preset, or of the model's file.
        model: String,
        /// All parameters of the model.
        parameters: serde_json::Value,
    },
    /// A file of another program.
    Imported {
        /// Name of the format.
        format: String,
        /// Name of the file.
        file: String,
    },
}

/// Something that was requested and could not be had, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unobtained {
    /// What could not be had: a method's name, a condition.
    pub what: String,
    /// Kind of reason: `unavailable`, `forbidden` or `failed`.
    pub kind: String,
    /// Reason that the system gave.
    pub why: String,
}

impl Unobtained {
    /// Records that `what` was refused.
    pub fn new(what: &str, refusal: &Refusal) -> Self {
        Self { what: what.to_owned(), kind: refusal.kind().to_owned(), why: refusal.reason().to_owned() }
    }
}
