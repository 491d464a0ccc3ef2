//! The scheduling policy of the calling thread.

#[cfg(any(windows, target_os = "openbsd", target_os = "illumos"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
mod parse;
#[cfg(any(target_os = "freebsd", target_os = "netbsd", target_os = "dragonfly", target_os = "macos"))]
mod posix;
mod range;

#[cfg(any(windows, target_os = "openbsd", target_os = "illumos"))]
use elsewhere as here;
#[cfg(target_os = "linux")]
use linux as here;
#[cfg(target_os = "macos")]
use macos as here;
#[cfg(any(target_os = "freebsd", target_os = "netbsd", target_os = "dragonfly"))]
use posix as here;

use super::Guard;
use crate::refusal::Refusal;
use crate::units::Nanos;
use std::fmt;

pub use parse::ParsePolicyError;
#[cfg(unix)]
pub use range::range;

/// A scheduling policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "name", rename_all = "kebab-case"))]
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
        #[cfg_attr(feature = "serde", serde(rename = "runtime_ns"))]
        runtime: Nanos,
        /// Time within the period by which the budget must have been available.
        #[cfg_attr(feature = "serde", serde(rename = "deadline_ns"))]
        deadline: Nanos,
        /// Length of the period.
        #[cfg_attr(feature = "serde", serde(rename = "period_ns"))]
        period: Nanos,
    },
}

impl Policy {
    /// Returns whether threads under the policy have precedence over all time-sharing threads, and can starve them.
    pub const fn is_real_time(self) -> bool {
        matches!(self, Self::Fifo { .. } | Self::Rr { .. } | Self::Deadline { .. })
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

/// Checks that this system has the priority or the times of a policy; whether the thread may have it, only [`apply`] finds out.
///
/// # Errors
/// [`Refusal::Unavailable`] with what the system takes instead.
pub fn check(asked: Policy) -> Result<(), Refusal> {
    here::check(asked)
}

/// Returns the policy of the calling thread.
pub fn read() -> Result<Policy, Refusal> {
    here::read()
}

/// Sets the policy of the calling thread until the guard is dropped.
///
/// # Errors
/// [`Refusal::Forbidden`] without the privilege, with what would grant it, and for a policy that could not be
/// left again; [`Refusal::Unavailable`] for a policy that this system lacks or a priority out of its range.
pub fn apply(asked: Policy) -> Result<Guard<Policy>, Refusal> {
    here::apply(asked)
}

/// Sets the policy of the calling thread for the rest of its life, and returns the policy then in force. For threads
/// that end with their work: this allows a policy that could not be left again (`idle`, for an ordinary user).
///
/// # Errors
/// As [`apply`], except for policies that cannot be left.
pub fn enter(asked: Policy) -> Result<Policy, Refusal> {
    here::enter(asked)
}
