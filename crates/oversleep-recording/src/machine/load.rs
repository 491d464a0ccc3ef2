//! How busy the machine is.

use serde::{Deserialize, Serialize};

/// The average number of threads that run or want to (on Linux also those in uninterruptible sleep).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Load {
    /// Over a minute.
    pub one_minute: f64,
    /// Over five.
    pub five_minutes: f64,
    /// Over fifteen.
    pub fifteen_minutes: f64,
    /// Threads that run or want to run right now, this one included (Linux).
    pub runnable: Option<u32>,
}
