//! Where the kernel may be interrupted to let another thread run.

use serde::{Deserialize, Serialize};

/// The kernel's preemption.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Preemption {
    /// `none`, `voluntary`, `full`, `lazy` or `rt`; `None` if the kernel can change it and does not tell this user.
    pub model: Option<String>,
    /// Whether the model can be changed while the kernel runs (`PREEMPT_DYNAMIC`).
    pub dynamic: Option<bool>,
    /// Whether it is a real-time kernel (`PREEMPT_RT`).
    pub realtime: Option<bool>,
}
