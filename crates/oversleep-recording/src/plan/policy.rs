//! Scheduling policies, and how users write them.

use oversleep_sys::units::{Nanos, ParseNanosError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A scheduling policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Policy {
    /// Time-sharing, the default.
    Other,
    /// Time-sharing for batch work.
    Batch,
    /// Runs only when nothing else is runnable.
    Idle,
    /// First in, first out, with precedence over all time-sharing threads.
    Fifo {
        /// Priority: 1 to 99 on Linux.
        priority: i32,
    },
    /// Like `Fifo`, with a time slice among threads of equal priority.
    Rr {
        /// Priority: 1 to 99 on Linux.
        priority: i32,
    },
    /// A budget of processor time per period.
    Deadline {
        /// Processor time per period.
        #[serde(rename = "runtime_ns")]
        runtime: Nanos,
        /// Time within the period by which the budget must have been available.
        #[serde(rename = "deadline_ns")]
        deadline: Nanos,
        /// Length of the period.
        #[serde(rename = "period_ns")]
        period: Nanos,
    },
}

impl Policy {
    /// Returns whether threads under the policy have precedence over all time-sharing threads, and can starve them.
    pub const fn is_real_time(self) -> bool {
        matches!(self, Self::Fifo { .. } | Self::Rr { .. } | Self::Deadline { .. })
    }

    /// Returns the priority among real-time threads: 0 is none, and above every number is that of a deadline.
    pub const fn real_time_priority(self) -> i32 {
        match self {
            Self::Other | Self::Batch | Self::Idle => 0,
            Self::Fifo { priority } | Self::Rr { priority } => priority,
            Self::Deadline { .. } => i32::MAX,
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other => f.write_str("other"),
            Self::Batch => f.write_str("batch"),
            Self::Idle => f.write_str("idle"),
            Self::Fifo { priority } => write!(f, "fifo {priority}"),
            Self::Rr { priority } => write!(f, "rr {priority}"),
            Self::Deadline { runtime, deadline, period } => {
                write!(f, "deadline {runtime:#} by {deadline:#} every {period:#}")
            }
        }
    }
}

/// Why a text is not a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsePolicyError {
    /// There is no such name, or its parameters are missing or not allowed.
    Unknown(String),
    /// The text after the name is not a priority.
    Priority {
        /// `fifo` or `rr`.
        name: String,
        /// Text in place of the priority.
        priority: String,
    },
    /// There are not two or three times.
    Budget,
    /// A time of a budget cannot be parsed.
    Time(ParseNanosError),
    /// A time of a budget is zero or negative.
    NoTime,
}

impl fmt::Display for ParsePolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(text) => write!(
                f,
                "'{text}' is not a policy; use other, batch, idle, fifo:PRIORITY, rr:PRIORITY or \
                 deadline:RUNTIME/PERIOD"
            ),
            Self::Priority { name, priority } => {
                write!(f, "'{priority}' is not a priority; write {name}:80 (1 to 99 on Linux)")
            }
            Self::Budget => f.write_str(
                "write deadline:RUNTIME/PERIOD or deadline:RUNTIME/DEADLINE/PERIOD, such as deadline:100us/1ms",
            ),
            Self::Time(error) => error.fmt(f),
            Self::NoTime => f.write_str("each time of a deadline policy must be longer than zero"),
        }
    }
}

/// The error of a time is displayed as part of this error, so it is not a separate source.
impl std::error::Error for ParsePolicyError {}

impl From<ParseNanosError> for ParsePolicyError {
    fn from(error: ParseNanosError) -> Self {
        Self::Time(error)
    }
}

impl FromStr for Policy {
    type Err = ParsePolicyError;

    /// Parses `other`, `batch`, `idle`, `fifo:80`, `rr:10` (without a number, 1), `deadline:100us/1ms` (runtime and
    /// period) or `deadline:100us/800us/1ms` (with a deadline of its own).
    fn from_str(text: &str) -> Result<Self, ParsePolicyError> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        match (name, rest) {
            ("other", None) => Ok(Self::Other),
            ("batch", None) => Ok(Self::Batch),
            ("idle", None) => Ok(Self::Idle),
            ("fifo", _) => Ok(Self::Fifo { priority: priority(name, rest)? }),
            ("rr", _) => Ok(Self::Rr { priority: priority(name, rest)? }),
            ("deadline", Some(rest)) => budget(rest),
            _ => Err(ParsePolicyError::Unknown(text.to_owned())),
        }
    }
}

/// Priorities of any system: Linux has 1 to 99, FreeBSD 0 to 31, illumos 0 to 59. Whether the system at hand has one, it says
/// itself.
const PRIORITIES: RangeInclusive<i32> = 0..=99;

fn priority(name: &str, rest: Option<&str>) -> Result<i32, ParsePolicyError> {
    let Some(rest) = rest else { return Ok(1) };
    let known = rest.parse().ok().filter(|priority| PRIORITIES.contains(priority));
    known.ok_or_else(|| ParsePolicyError::Priority { name: name.to_owned(), priority: rest.to_owned() })
}

fn budget(text: &str) -> Result<Policy, ParsePolicyError> {
    let times = text.split('/').map(str::parse).collect::<Result<Vec<Nanos>, _>>()?;
    if times.iter().any(|time| *time <= Nanos::ZERO) {
        return Err(ParsePolicyError::NoTime);
    }
    match times[..] {
        [runtime, period] => Ok(Policy::Deadline { runtime, deadline: period, period }),
        [runtime, deadline, period] => Ok(Policy::Deadline { runtime, deadline, period }),
        _ => Err(ParsePolicyError::Budget),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_read() {
        let read = |text: &str| text.parse::<Policy>();
        assert_eq!(read("other"), Ok(Policy::Other));
        assert_eq!(read("fifo:80"), Ok(Policy::Fifo { priority: 80 }));
        assert_eq!(read("rr"), Ok(Policy::Rr { priority: 1 }));
        let (runtime, period) = (Nanos::from_micros(100), Nanos::MILLISECOND);
        assert_eq!(read("deadline:100us/1ms"), Ok(Policy::Deadline { runtime, deadline: period, period }));
        let deadline = Nanos::from_micros(800);
        assert_eq!(read("deadline:100us/800us/1ms"), Ok(Policy::Deadline { runtime, deadline, period }));
    }

    #[test]
    fn what_is_no_policy_says_why() {
        for text in ["nice", "other:1", "deadline", "", "FIFO"] {
            assert_eq!(text.parse::<Policy>(), Err(ParsePolicyError::Unknown(text.to_owned())));
        }
        let says = |text: &str| text.parse::<Policy>().unwrap_err().to_string();
        assert_eq!(says("fifo:high"), "'high' is not a priority; write fifo:80 (1 to 99 on Linux)");
        assert_eq!(says("rr:200"), "'200' is not a priority; write rr:80 (1 to 99 on Linux)");
        assert!(says("deadline:1ms").starts_with("write deadline:RUNTIME/PERIOD"));
        assert!(says("deadline:1/2").contains("has no unit"));
        assert!(says("deadline:0ns/1ms").contains("longer than zero"));
        assert!(says("deadline:-1us/1ms").contains("longer than zero"));
    }
}
