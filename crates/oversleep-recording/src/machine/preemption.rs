//! Where the kernel may be interrupted to let another thread run.

use serde::{Deserialize, Serialize};

/// The kernel's preemption model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Preemption {
    /// `none`, `voluntary`, `full`, `lazy` or `rt`; `None` if it can be changed and this user may not read it.
    pub model: Option<String>,
    /// Whether the model can be changed while the kernel runs (`PREEMPT_DYNAMIC`).
    pub dynamic: Option<bool>,
    /// Whether it is a real-time kernel (`PREEMPT_RT`).
    pub realtime: Option<bool>,
}
