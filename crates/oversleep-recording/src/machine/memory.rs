//! The size of the memory.

use serde::{Deserialize, Serialize};

/// The machine's memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Memory {
    /// Total memory.
    pub total_bytes: Option<u64>,
    /// Memory available without swapping (Linux).
    pub available_bytes: Option<u64>,
}
