//! Evidence for leeway of timers: `timer-slack`, `proportional-slack`, `coalescing`.

use super::fact::{AddFacts, Facts, evidence};
use serde::Serialize;

/// What a slack was recognised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SlackBasis {
    /// Other methods do not have it.
    Contrast,
    /// The slack that was read back for the thread.
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
        /// Usual lateness, in ns.
        pub usual_late_ns: f64,
        /// Smallest lateness, in ns.
        pub least_late_ns: f64,
        /// What the slack was recognised by.
        pub basis: SlackBasis,
        /// The system's name for the rule behind the slack.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }

    /// The kernel may be late by a share of the request.
    pub struct ProportionalSlack {
        /// Slack as a share of the request.
        pub ratio: f64,
        /// The slack for this cell's request, in ns.
        pub stretch_ns: i64,
        /// Upper limit of the slack in ns, if a request reached it.
        pub cap_ns: Option<f64>,
        /// The system's name for the rule behind the slack.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }

    /// The kernel moves wake-ups anywhere within a leeway.
    pub struct Coalescing {
        /// Leeway as a share of the request.
        pub leeway_ratio: f64,
        /// The share at a request of 1 ns, by the fit over all requests.
        pub ratio_at_1_ns: f64,
        /// Exponent with which the leeway grows with the request; 1: in proportion.
        pub exponent: f64,
        /// The system's name for the rule behind the leeway.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }
}
