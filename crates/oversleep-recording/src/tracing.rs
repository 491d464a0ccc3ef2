//! Traced sleeps: the records of the kernel and the scheduler around them.

use super::Difference;
use crate::trace::{CountedSleeps, KernelEvents, OwnSwitches, Tier};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a cell's sleeps were traced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracing {
    /// ID of the cell.
    pub cell: u32,
    /// Tier of evidence that was available.
    pub tier: Tier,
    /// Whether the thread's own switch records were available too.
    #[serde(default)]
    pub own_switches: bool,
    /// Reasons why each higher tier was not available.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedTier>,
    /// Events that this kernel lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// Conditions that were requested and could not be had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions_refused: Vec<Missing>,
    /// Reason why tracing ended early, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Refusal>,
}

/// A tier that was not available, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefusedTier {
    /// Tier of evidence.
    pub tier: Tier,
    /// Reason.
    pub why: Refusal,
}

impl fmt::Display for RefusedTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tier.not_used(&self.why))
    }
}

/// Something that was not available, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Missing {
    /// What was not available.
    pub what: String,
    /// Reason.
    pub why: Refusal,
}

/// Records around a block of traced sleeps, which are the samples numbered `first` to `first + sleeps − 1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TracedSleeps {
    /// ID of the sleeps' cell.
    pub cell: u32,
    /// Number of the cell's thread that slept.
    pub thread: u16,
    /// Thread ID of that thread, given by the system.
    pub tid: i32,
    /// Number of the first sleep's sample.
    pub first: u64,
    /// Number of sleeps.
    pub sleeps: u64,
    /// Kernel events from the start of the first sleep to the end of the last, and those needed to tell who used
    /// each processor in that time.
    #[serde(skip_serializing_if = "KernelEvents::is_empty")]
    pub events: KernelEvents,
    /// The thread's own switch records over the same time.
    #[serde(skip_serializing_if = "OwnSwitches::is_empty")]
    pub own: OwnSwitches,
    /// Increase of the scheduler's counters during each sleep.
    #[serde(skip_serializing_if = "CountedSleeps::is_empty")]
    pub counted: CountedSleeps,
}

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
    #[serde(skip_serializing_if = "super::note::is_zero")]
    pub left_out: u64,
}

/// Figures of a cell's sleeps while traced. They are not among the recording's samples, because tracing has a cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Traced {
    /// ID of the cell.
    pub cell: u32,
    /// Tier of evidence, as `oversleep trace` names it.
    pub tier: String,
    /// Number of traced sleeps.
    pub sleeps: u64,
    /// Number of sleeps with a complete chain of marks; all figures are of these.
    pub complete: u64,
    /// Median oversleep of the traced sleeps.
    #[serde(rename = "traced_p50_ns")]
    pub traced_p50: Option<Nanos>,
    /// Median oversleep of the untraced sleeps in between.
    #[serde(rename = "untraced_p50_ns")]
    pub untraced_p50: Option<Nanos>,
    /// How much later traced blocks were than their untraced neighbours: median of the differences of block medians.
    #[serde(rename = "trace_shift", skip_serializing_if = "Option::is_none")]
    pub shift: Option<Difference>,
    /// Parts of the oversleep, cause by cause.
    pub parts: Vec<TracedPart>,
}

/// The part of the traced oversleeps that is due to one cause.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct TracedPart {
    /// Identifier of the cause, or `unexplained`.
    pub cause: String,
    /// Median over the sleeps.
    #[serde(rename = "p50_ns")]
    pub p50: Nanos,
    /// Lower end of the median's 95 % interval.
    #[serde(rename = "low_ns")]
    pub low: Nanos,
    /// Upper end of the median's 95 % interval.
    #[serde(rename = "high_ns")]
    pub high: Nanos,
    /// Time in the sleep whose oversleep is the 99th percentile, where there are enough sleeps.
    #[serde(rename = "at_p99_ns")]
    pub at_p99: Option<Nanos>,
    /// Share of all oversleep time, 0 to 1.
    pub share: f64,
}
