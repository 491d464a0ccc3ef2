//! Simulated kernels: the presets with their sources, and figures over a parameter.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `list presets` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Presets {
    /// The version of this form.
    pub format: u32,
    /// Every kernel that comes with the program.
    pub presets: Vec<PresetFacts>,
}

/// One preset.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PresetFacts {
    /// Its name.
    pub name: String,
    /// One line for lists.
    pub title: String,
    /// What else is to be known.
    pub notes: Option<String>,
    /// The parameters it states, by name.
    pub parameters: BTreeMap<String, SourcedParameter>,
}

/// A parameter's value, and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourcedParameter {
    /// The value.
    pub value: ParameterValue,
    /// How it is known.
    pub from: Known,
    /// Where it was found, or what it was fitted to.
    pub source: String,
}

/// What a parameter may be.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ParameterValue {
    /// Yes or no.
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
pub enum Known {
    /// Read in the system's source.
    Src,
    /// A commit's message or a mail.
    Log,
    /// Fitted to a published number.
    Fit,
    /// Concluded; nothing states it.
    Inf,
    /// A vendor's or other public page, or the publication itself.
    Doc,
    /// From general knowledge: looked up nowhere.
    Assumed,
}

/// What `simulate --sweep` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Swept {
    /// The version of this form.
    pub format: u32,
    /// The kernel.
    pub kernel: String,
    /// The parameter that differs.
    pub parameter: String,
    /// One row for each value.
    pub rows: Vec<SweptRow>,
}

/// One value of the parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SweptRow {
    /// The value.
    pub value: String,
    /// What that kernel did.
    #[serde(flatten)]
    pub result: SweptResult,
}

/// What one of the kernels did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SweptResult {
    /// There can be no such kernel.
    Refused {
        /// Why.
        refused: String,
    },
    /// It slept.
    Slept {
        /// How long, in its own time.
        simulated_ns: Nanos,
        /// Its cells, in the plan's order.
        cells: Vec<SweptCell>,
        /// Cells that ended before their plan did.
        cut: Vec<CutCell>,
    },
}

/// One cell's figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SweptCell {
    /// The method.
    pub method: String,
    /// What was asked for; `None` where each sleep asked for something else.
    pub requested_ns: Option<Nanos>,
    /// How many sleeps.
    pub n: u64,
    /// How many woke early.
    pub early: u64,
    /// The smallest oversleep.
    pub min_ns: Option<Nanos>,
    /// The mean.
    pub mean_ns: Option<Nanos>,
    /// The standard deviation.
    pub sd_ns: Option<Nanos>,
    /// The largest.
    pub max_ns: Option<Nanos>,
    /// Times that sleeps looked at the clock and slept on.
    pub resleeps: u64,
}

/// A cell that ended before its plan did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CutCell {
    /// The cell.
    pub cell: u32,
    /// The thread.
    pub thread: u16,
    /// Why, in a word.
    pub why: String,
}
