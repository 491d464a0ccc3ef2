//! The system calls that a program made while it slept.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A system call with a time argument or a timer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TimedCall {
    /// Thread that made the call.
    pub tid: i32,
    /// Name of the call, such as `epoll_wait`.
    pub call: String,
    /// When the call was entered, on the monotonic clock.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// Time in the call's arguments, where it is a number. A structure in the program's memory is not read.
    #[serde(rename = "argument_ns", skip_serializing_if = "Option::is_none")]
    pub argument: Option<Nanos>,
    /// Earliest expiry of the timer that the call armed, on that timer's clock.
    #[serde(rename = "timer_ns", skip_serializing_if = "Option::is_none")]
    pub timer: Option<Nanos>,
}

/// A sleep that was made while the system calls of its program were recorded. It is not one of the recording's samples,
/// because recording the calls has a cost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TracedCalls {
    /// Method of the cells with the same request.
    pub method: String,
    /// Requested duration.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// Beginning of the sleep.
    #[serde(rename = "start_ns")]
    pub start: Nanos,
    /// End of the sleep.
    #[serde(rename = "end_ns")]
    pub end: Nanos,
    /// How wrong the beginning and end may be on the monotonic clock.
    #[serde(rename = "clock_error_ns")]
    pub clock_error: Nanos,
    /// Calls during the sleep, in order.
    pub calls: Vec<TimedCall>,
    /// Number of calls that were not kept because their thread made too many.
    #[serde(skip_serializing_if = "crate::note::is_zero")]
    pub left_out: u64,
}
