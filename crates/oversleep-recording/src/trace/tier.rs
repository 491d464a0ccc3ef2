//! Tiers of evidence: how much a trace can show.

use crate::names;
use serde::{Deserialize, Serialize};

names! {
    /// A tier of evidence. Variants are in order, the best first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum Tier {
        /// Kernel events of a private tracefs instance, and the thread's own switch records where available.
        Events = "events",
        /// The thread's own switch records, run-queue time, and the slack by rule.
        Switches = "switches",
        /// Run-queue time, preemptions, quota, and the slack by rule.
        Counters = "counters",
        /// Only the slack by rule.
        Slack = "slack",
    }
}

impl Tier {
    /// Says that this evidence was not used, and why.
    pub fn not_used(self, why: impl std::fmt::Display) -> String {
        format!("not by {}: {why}", self.name())
    }

    /// Returns a description of the evidence.
    pub const fn made_of(self) -> &'static str {
        match self {
            Self::Events => "kernel events of a private tracefs instance",
            Self::Switches => "the thread's own switch records, schedstat and the slack by rule",
            Self::Counters => "schedstat, rusage, the control group's quota and the slack by rule",
            Self::Slack => "only the slack by rule",
        }
    }

    /// Returns the tier with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tier| tier.name() == name)
    }
}
