//! Evidence of leeway: `timer-slack`, `proportional-slack`, `coalescing`.

use super::fact::{AddFacts, Facts, evidence};
use serde::Serialize;

/// What a slack was told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SlackBasis {
    /// Other methods lack it.
    Contrast,
    /// The slack that was read back.
    Conditions,
    /// Lateness is just above a slack that systems use.
    Nominal,
}

impl AddFacts for SlackBasis {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        let word = match self {
            Self::Contrast => "contrast",
            Self::Conditions => "conditions",
            Self::Nominal => "nominal",
        };
        word.add_facts(name, to);
    }
}

evidence! {
    /// The kernel may wake the thread later by a fixed time.
    pub struct TimerSlack {
        /// The usual lateness.
        pub usual_late_ns: f64,
        /// The least lateness.
        pub least_late_ns: f64,
        /// What it was told by.
        pub basis: SlackBasis,
        /// What the system calls it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }

    /// The kernel may be late by a share of the request.
    pub struct ProportionalSlack {
        /// The share.
        pub ratio: f64,
        /// What it is of this cell's request.
        pub stretch_ns: i64,
        /// The most it may be, if that was met.
        pub cap_ns: Option<f64>,
        /// What the system calls it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }

    /// The kernel moves wake-ups anywhere within a leeway.
    pub struct Coalescing {
        /// The leeway as a share of the request.
        pub leeway_ratio: f64,
        /// The share that the fit over all requests gives for 1 ns.
        pub ratio_at_1_ns: f64,
        /// How the leeway grows with the request; 1: in proportion.
        pub exponent: f64,
        /// What the system calls it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }
}
