//! How much memory there is.

use serde::{Deserialize, Serialize};

/// The machine's memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Memory {
    /// All of it.
    pub total_bytes: Option<u64>,
    /// What can be had without swapping (Linux).
    pub available_bytes: Option<u64>,
}
