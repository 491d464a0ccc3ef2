//! The load of the machine.

use serde::{Deserialize, Serialize};

/// The average number of threads that run or are runnable (on Linux also those in uninterruptible sleep).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Load {
    /// Average over 1 minute.
    pub one_minute: f64,
    /// Average over 5 minutes.
    pub five_minutes: f64,
    /// Average over 15 minutes.
    pub fifteen_minutes: f64,
    /// Threads that run or are runnable at this moment, this one included (Linux).
    pub runnable: Option<u32>,
}
