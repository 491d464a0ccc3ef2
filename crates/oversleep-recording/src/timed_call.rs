//! What the kernel was told while a program slept.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A system call with a time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TimedCall {
    /// The thread that made it.
    pub tid: i32,
    /// Its name, such as `epoll_wait`.
    pub call: String,
    /// When it was entered, on the monotonic clock.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// The time in its arguments, where that is a number. A structure in the program's memory is not read.
    #[serde(rename = "argument_ns", skip_serializing_if = "Option::is_none")]
    pub argument: Option<Nanos>,
    /// When the timer that it set was to expire at the earliest, on that timer's clock.
    #[serde(rename = "timer_ns", skip_serializing_if = "Option::is_none")]
    pub timer: Option<Nanos>,
}

/// A sleep that was made while the system calls of its program were recorded. It is none of the recording's samples:
/// recording has its price.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TracedCalls {
    /// The method of the cells that ask for the same.
    pub method: String,
    /// What was asked for.
    #[serde(rename = "requested_ns")]
    pub requested: Nanos,
    /// When it began.
    #[serde(rename = "start_ns")]
    pub start: Nanos,
    /// When it ended.
    #[serde(rename = "end_ns")]
    pub end: Nanos,
    /// How wrong its beginning and end may be on the monotonic clock.
    #[serde(rename = "clock_error_ns")]
    pub clock_error: Nanos,
    /// The calls meanwhile, in order.
    pub calls: Vec<TimedCall>,
}
