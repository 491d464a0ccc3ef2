//! What is known of a recording before its first sample.

use crate::machine::Machine;
use crate::plan::Plan;
use oversleep_sys::Refusal;
use serde::{Deserialize, Serialize};

/// The document at the head of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The version of the file format; readers accept every older one.
    pub format: u32,
    /// What wrote it, with version.
    pub tool: String,
    /// Where the samples come from.
    pub origin: Origin,
    /// When it began (RFC 3339, UTC), if known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub started: Option<String>,
    /// What was asked for.
    pub plan: Plan,
    /// The machine.
    pub machine: Machine,
    /// What was asked for and could not be had.
    #[serde(default)]
    pub unavailable: Vec<Unobtained>,
}

impl Meta {
    /// The format this version writes: 2 has checksums and three more columns than 1.
    pub const FORMAT: u32 = 2;

    /// Returns the head of a recording of which no more is known than this, as `tool` writes it.
    pub fn new(tool: &str, origin: Origin, plan: Plan) -> Self {
        Self {
            format: Self::FORMAT,
            tool: tool.to_owned(),
            origin,
            started: None,
            plan,
            machine: Machine::default(),
            unavailable: Vec::new(),
        }
    }
}

/// Where samples come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Origin {
    /// This machine, measured.
    Live,
    /// A simulated kernel.
    Simulated {
        /// The preset's name, or the file's.
        model: String,
        /// Its parameters, whole.
        parameters: serde_json::Value,
    },
    /// Another program's file.
    Imported {
        /// The format.
        format: String,
        /// The file.
        file: String,
    },
}

/// Something asked for that could not be had, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unobtained {
    /// What: a method's name, a condition.
    pub what: String,
    /// `unavailable`, `forbidden` or `failed`.
    pub kind: String,
    /// What the system said.
    pub why: String,
}

impl Unobtained {
    /// Records that `what` was refused.
    pub fn new(what: &str, refusal: &Refusal) -> Self {
        Self { what: what.to_owned(), kind: refusal.kind().to_owned(), why: refusal.reason().to_owned() }
    }
}
