//! Where the kernel may be interrupted to let another thread run.

use serde::{Deserialize, Serialize};

/// The kernel's preemption model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Preemption {
    /// `none`, `voluntary`, `full`, `lazy` or `rt`. Where it can be changed and this user may not read it: what the kernel was
    /// booted or built with.
    pub model: Option<String>,
    /// Whether the model can be changed while the kernel runs (`PREEMPT_DYNAMIC`).
    pub dynamic: Option<bool>,
    /// Whether it is a real-time kernel (`PREEMPT_RT`).
    pub realtime: Option<bool>,
}

impl Preemption {
    /// Returns what the model means, with the kernel's name for it; `None` if it is not known.
    pub fn text(&self) -> Option<&'static str> {
        Some(match self.model.as_deref()? {
            "none" => "not preemptible (PREEMPT_NONE)",
            "voluntary" => "preemptible at chosen points (PREEMPT_VOLUNTARY)",
            "lazy" => "preemptible, lazily (PREEMPT_LAZY)",
            "full" => "preemptible (PREEMPT)",
            "rt" => "real-time (PREEMPT_RT)",
            _ => return None,
        })
    }
}
