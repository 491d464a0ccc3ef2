//! Differences between two cells.

use super::other_mode;
use crate::plan::{Cell, Conditions, Phase, Policy};
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One difference, with its new value. `None`: the system's default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change {
    /// The timer slack.
    Slack {
        /// New slack.
        slack_ns: Option<Nanos>,
    },
    /// The timer slack, with the request lengthened by the slack that was removed, so that the timer fires at the same
    /// time.
    SlackAsLong {
        /// New slack.
        slack_ns: Option<Nanos>,
        /// Lengthened request.
        requested_ns: Nanos,
    },
    /// The scheduling policy.
    Policy {
        /// New policy.
        policy: Option<Policy>,
    },
    /// The processors on which the thread may run.
    Affinity {
        /// Numbers of the new processors.
        cpus: Option<Vec<u32>>,
    },
    /// A busy thread on the same processor.
    Neighbour {
        /// Number of busy threads.
        threads: u16,
    },
    /// The wake-up latency held.
    Hold {
        /// New latency.
        hold_ns: Option<Nanos>,
    },
    /// The thread is awake shortly before the deadline.
    Warm {
        /// How long before the deadline.
        lead_ns: Nanos,
    },
    /// A deadline in place of a duration, by a method with the same timer.
    Absolute {
        /// New method.
        method: String,
    },
    /// A duration in place of a deadline, by a method with the same timer.
    Relative {
        /// New method.
        method: String,
    },
    /// Another method.
    Method {
        /// New method.
        method: String,
    },
    /// Another request.
    Request {
        /// New request, if it is the same for every sleep.
        requested_ns: Option<Nanos>,
    },
    /// Any other difference.
    Other,
}

impl Change {
    /// Returns every difference of `to` from `from`.
    pub fn between(from: &Cell, to: &Cell) -> Vec<Self> {
        let (a, b) = (&from.conditions, &to.conditions);
        let mut changes = Vec::new();
        let mut add = |differs: bool, change: Self| changes.extend(differs.then_some(change));
        add(a.timer_slack != b.timer_slack, Self::Slack { slack_ns: b.timer_slack });
        add(a.policy != b.policy, Self::Policy { policy: b.policy });
        add(a.affinity != b.affinity, Self::Affinity { cpus: b.affinity.clone() });
        add(a.latency_hold != b.latency_hold, Self::Hold { hold_ns: b.latency_hold });
        add(a.phase != b.phase, phase(b));
        add(a.load != b.load, Self::load(a, b));
        add(from.method != to.method, method(from, to));
        add(from.pattern != to.pattern, Self::Request { requested_ns: to.pattern.requested() });
        let rest = |conditions: &Conditions| Conditions {
            timer_slack: None,
            policy: None,
            affinity: None,
            latency_hold: None,
            phase: None,
            load: None,
            traced: None,
            ..conditions.clone()
        };
        add(rest(a) != rest(b), Self::Other);
        match changes[..] {
            [Self::Slack { slack_ns }, Self::Request { requested_ns: Some(requested_ns) }]
                if from.pattern.requested().is_some_and(|requested| requested < requested_ns) =>
            {
                vec![Self::SlackAsLong { slack_ns, requested_ns }]
            }
            _ => changes,
        }
    }

    fn load(from: &Conditions, to: &Conditions) -> Self {
        use crate::plan::LoadKind;
        match (from.load, to.load) {
            (None, Some(load)) if load.kind == LoadKind::Neighbour => Self::Neighbour { threads: load.threads },
            _ => Self::Other,
        }
    }
}

fn phase(to: &Conditions) -> Change {
    match to.phase {
        Some(Phase::Warm { lead }) => Change::Warm { lead_ns: lead },
        _ => Change::Other,
    }
}

fn method(from: &Cell, to: &Cell) -> Change {
    let method = to.method.clone();
    let same_timer = other_mode(&from.method).is_some_and(|other| other.name() == method);
    match (from.absolute(), to.absolute()) {
        (false, true) if same_timer => Change::Absolute { method },
        (true, false) if same_timer => Change::Relative { method },
        _ => Change::Method { method },
    }
}

/// Writes the change in a few words, for a table.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slack { slack_ns: Some(slack) } => write!(f, "slack {slack}"),
            Self::Slack { slack_ns: None } => f.write_str("slack as it was"),
            Self::SlackAsLong { slack_ns: Some(slack), requested_ns } => {
                write!(f, "slack {slack}, request {requested_ns:#}")
            }
            Self::SlackAsLong { slack_ns: None, requested_ns } => {
                write!(f, "slack as it was, request {requested_ns:#}")
            }
            Self::Policy { policy: Some(policy) } => write!(f, "policy {policy}"),
            Self::Policy { policy: None } => f.write_str("policy as it was"),
            Self::Affinity { cpus: Some(cpus) } => {
                write!(f, "pinned to CPU {}", crate::cpus::list_text(cpus))
            }
            Self::Affinity { cpus: None } => f.write_str("not pinned"),
            Self::Neighbour { .. } => f.write_str("busy neighbour"),
            Self::Hold { hold_ns: Some(hold) } => write!(f, "latency held to {hold}"),
            Self::Hold { hold_ns: None } => f.write_str("latency not held"),
            Self::Warm { lead_ns } => write!(f, "awake {lead_ns} before"),
            Self::Absolute { method } => write!(f, "deadline ({method})"),
            Self::Relative { method } => write!(f, "duration ({method})"),
            Self::Method { method } => f.write_str(method),
            Self::Request { requested_ns: Some(requested) } => write!(f, "request {requested}"),
            Self::Request { requested_ns: None } => f.write_str("other requests"),
            Self::Other => f.write_str("something else"),
        }
    }
}
