//! What processors there are.

use serde::{Deserialize, Serialize};

/// The machine's processors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Processor {
    /// What the maker calls it.
    pub model: Option<String>,
    /// The processors that are there and running.
    pub online: Vec<u32>,
    /// Whether two threads share a core.
    pub smt_active: Option<bool>,
    /// What chooses the clock frequency: a governor (`performance`, `schedutil`), or Windows' power plan; `None` if nothing does.
    pub frequency_governor: Option<String>,
}
