//! A survey of clocks: what each costs, how it advances, whether they agree.

use crate::Unobtained;
use oversleep_sys::units::{Nanos, Ppm};
use serde::Serialize;

/// The whole survey. What was not measured is `None`, and `null` as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clocks {
    /// The version of this document.
    pub format: u32,
    /// What made it.
    pub tool: Tool,
    /// The clocks that could be read, in the catalogue's order.
    pub clocks: Vec<Clock>,
    /// Every pair of clocks that were read together.
    pub drift: Vec<ClockDrift>,
    /// How long clocks were to be read together.
    #[serde(rename = "drift_window_ns")]
    pub drift_window: Nanos,
    /// Clocks left out of drift because 100 of their steps do not fit into its time.
    pub too_coarse_for_drift: Vec<String>,
    /// What is known of the processor's counter.
    pub counter: Option<Counter>,
    /// Why nothing is known of it.
    #[serde(skip)]
    pub counter_refused: Option<String>,
    /// The clocks that were read together.
    #[serde(skip)]
    pub followed: Vec<String>,
    /// Somebody asked to stop before the end.
    pub stopped: bool,
    /// Clocks of the system, or asked for, that could not be read.
    pub unavailable: Vec<Unobtained>,
}

/// A program and its version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// One clock. What the catalogue says of it is `None` for a clock that it lacks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// Its name.
    pub clock: String,
    /// The call that reads it.
    pub call: Option<&'static str>,
    /// What it counts.
    pub counts: Option<&'static str>,
    /// Whether time synchronisation changes it.
    pub steered: Option<&'static str>,
    /// Whether it goes on while the machine is suspended.
    pub suspend: Option<&'static str>,
    /// Whether its documentation allows a later reading below an earlier one.
    pub may_go_backwards: Option<bool>,
    /// When it does.
    pub backwards: Option<&'static str>,
    /// Where that is documented.
    pub source: Option<&'static str>,
    /// Ticks per second.
    pub rate_hz: f64,
    /// Loops of calls.
    pub costs: Vec<Cost>,
    /// A loop of calls beside other threads that read the same clock, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loaded: Option<LoadedCost>,
    /// The resolution the system claims.
    #[serde(rename = "claimed_resolution_ns")]
    pub claimed_resolution: Option<Nanos>,
    /// How it advanced on one thread.
    pub steps: Option<Steps>,
    /// Whether processors agree.
    pub across_cpus: Option<Across>,
    /// Whether it counts what a thread or process used: such a clock has no drift.
    #[serde(skip)]
    pub cpu_time: bool,
}

/// A loop of calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cost {
    /// Calls made.
    pub calls: u64,
    /// Time for all of them.
    #[serde(rename = "total_ns")]
    pub total: Nanos,
    /// Nanoseconds per call.
    pub per_call_ns: f64,
}

/// A loop of calls beside other threads that read the same clock as fast as they can.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoadedCost {
    /// How many threads those were.
    pub readers: u16,
    /// The loop.
    #[serde(flatten)]
    pub cost: Cost,
}

/// How a clock advanced on one thread.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Steps {
    /// Readings taken.
    pub reads: u64,
    /// The smallest distance forwards, in ticks.
    pub smallest_ticks: Option<u64>,
    /// The same in nanoseconds, which may be a fraction of one.
    pub smallest_ns: Option<f64>,
    /// Share of readings equal to the one before, 0 to 1.
    pub repeated_share: Option<f64>,
    /// Readings below the one before.
    pub backwards: u64,
    /// The furthest that one lay below the one before.
    #[serde(rename = "worst_backwards_ns")]
    pub worst_backwards: Nanos,
}

/// Whether two processors agree on a clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Across {
    /// They were not compared.
    Not {
        /// `false`.
        compared: bool,
        /// Why.
        why: String,
    },
    /// They were.
    Compared {
        /// `true`.
        compared: bool,
        /// Whether each thread was held on a processor of its own.
        pinned: bool,
        /// Readings taken.
        reads: u64,
        /// Of these, earlier than one already published.
        earlier: u64,
        /// The furthest that one was earlier, in ticks.
        worst_ticks: u64,
        /// The same as a time.
        #[serde(rename = "worst_ns")]
        worst: Nanos,
    },
}

/// How much faster one clock runs than another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockDrift {
    /// The faster.
    pub clock: String,
    /// The slower.
    pub against: String,
    /// By how much.
    #[serde(rename = "drift_ppm")]
    pub drift: Ppm,
    /// Lower end of the interval.
    #[serde(rename = "low_ppm")]
    pub low: Ppm,
    /// Upper end of the interval.
    #[serde(rename = "high_ppm")]
    pub high: Ppm,
    /// The interval's confidence.
    pub confidence: f64,
    /// Rounds used.
    pub rounds: usize,
    /// Rounds left out because a reading was interrupted.
    pub left_out: usize,
}

/// What is known of the processor's counter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counter {
    /// It runs at one rate.
    pub invariant: bool,
    /// The rate that the processor or hypervisor states.
    pub nominal_hz: Option<f64>,
    /// What the kernel keeps time with.
    pub clocksource: Option<String>,
    /// Whether it may stand in for the system's clock.
    pub trusted: bool,
}
