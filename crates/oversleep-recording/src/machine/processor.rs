//! The processors of a machine.

use serde::{Deserialize, Serialize};

/// The machine's processors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Processor {
    /// Model name given by the manufacturer.
    pub model: Option<String>,
    /// Numbers of the processors that are online.
    pub online: Vec<u32>,
    /// Whether two threads share a core.
    pub smt_active: Option<bool>,
    /// What sets the clock frequency: a governor (`performance`, `schedutil`), or Windows' power plan; `None` if
    /// nothing does.
    pub frequency_governor: Option<String>,
}
