//! Simulated kernels: the presets with their sources, and the figures of a sweep over a parameter.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The document of `list presets`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Presets {
    /// Version of this document.
    pub format: u32,
    /// Every preset that comes with the program.
    pub presets: Vec<PresetFacts>,
}

/// One preset.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PresetFacts {
    /// Name of the preset.
    pub name: String,
    /// Description in one line.
    pub title: String,
    /// Systems and versions that it stands for.
    pub systems: String,
    /// Calls and threads that it stands for.
    pub calls: String,
    /// Further remarks.
    pub notes: Option<String>,
    /// Parameters that the preset states, by name.
    pub parameters: BTreeMap<String, SourcedParameter>,
}

/// The value of a parameter, and its source.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourcedParameter {
    /// Value of the parameter.
    pub value: ParameterValue,
    /// How the value is known.
    pub from: ValueOrigin,
    /// Where the value was found, or what it was fitted to.
    pub source: String,
    /// Least and greatest value on the machines that the preset stands for; `None` where they all have this one.
    pub spread: Option<[f64; 2]>,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ParameterValue {
    /// A switch: on or off.
    Switch(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
}

/// How a parameter's value is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ValueOrigin {
    /// Read in the system's source code.
    Src,
    /// Stated in a commit message or a mail.
    Log,
    /// Fitted to a published number.
    Fit,
    /// Inferred; no source states it.
    Inf,
    /// Stated on a vendor's page or another public page, or in the publication itself.
    Doc,
    /// General knowledge, not looked up.
    Assumed,
}

/// The document of `simulate --vary`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Swept {
    /// Version of this document.
    pub format: u32,
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the parameter that varies.
    pub parameter: String,
    /// One row for each value.
    pub rows: Vec<SweptRow>,
}

/// The result for one value of the parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SweptRow {
    /// Value of the parameter.
    pub value: String,
    /// Result of the simulation with this value.
    #[serde(flatten)]
    pub result: SweptResult,
}

/// The result of simulating one of the kernels.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SweptResult {
    /// No kernel can have this value.
    Refused {
        /// Reason.
        refused: String,
    },
    /// The simulation ran.
    Slept {
        /// Duration in simulated time.
        simulated_ns: Nanos,
        /// Figures of the cells, in the plan's order.
        cells: Vec<SweptCell>,
        /// Cells that ended before their plan was complete.
        cut: Vec<CutCell>,
    },
}

/// The figures of one simulated cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SweptCell {
    /// Name of the method.
    pub method: String,
    /// Requested duration; `None` where it differs from sleep to sleep.
    pub requested_ns: Option<Nanos>,
    /// Number of sleeps.
    pub n: u64,
    /// Number of sleeps that woke early.
    pub early: u64,
    /// Smallest oversleep.
    pub min_ns: Option<Nanos>,
    /// Mean oversleep.
    pub mean_ns: Option<Nanos>,
    /// Standard deviation of the oversleep.
    pub sd_ns: Option<Nanos>,
    /// Largest oversleep.
    pub max_ns: Option<Nanos>,
    /// How often sleeps read the clock after waking and slept on.
    pub resleeps: u64,
}

/// A cell that ended before its plan was complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CutCell {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the thread.
    pub thread: u16,
    /// Reason, in a word.
    pub why: String,
}
