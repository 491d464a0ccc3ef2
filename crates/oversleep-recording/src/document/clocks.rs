//! A survey of clocks: what a reading costs, how each clock advances, and whether clocks agree.

use super::evidence::AssumedRate;
use crate::Unobtained;
use oversleep_sys::units::{Nanos, Ppm};
use serde::Serialize;

/// The result of a clock survey. Values that were not measured are `None`, and `null` in JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clocks {
    /// Version of this document.
    pub format: u32,
    /// Program that made the document.
    pub tool: Tool,
    /// Clocks that could be read, in the catalogue's order.
    pub clocks: Vec<Clock>,
    /// Drift of every pair of clocks that were read together.
    pub drift: Vec<ClockDrift>,
    /// How long clocks were planned to be read together.
    #[serde(rename = "drift_window_ns")]
    pub drift_window: Nanos,
    /// Clocks without a drift, because 100 of their steps do not fit into the drift window.
    pub too_coarse_for_drift: Vec<String>,
    /// Facts about the processor's counter.
    pub counter: Option<Counter>,
    /// Why nothing is known about the processor's counter.
    #[serde(skip)]
    pub counter_refused: Option<String>,
    /// Counters that the kernel tells time by, of which both a stated rate and the one it assumes are known.
    pub assumed_rates: Vec<AssumedRate>,
    /// By how much time synchronisation corrects the clock's rate, in ppm, where the system says it.
    pub ntp_ppm: Option<f64>,
    /// Names of the clocks that were read together.
    #[serde(skip)]
    pub followed: Vec<String>,
    /// Whether the survey was stopped before its end.
    pub stopped: bool,
    /// Clocks of the system, or requested ones, that could not be read.
    pub unavailable: Vec<Unobtained>,
}

/// A program and its version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tool {
    /// Name of the program.
    pub name: String,
    /// Version of the program.
    pub version: String,
}

/// The measurements of one clock. Facts from the catalogue are `None` for a clock that the catalogue lacks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// Name of the clock.
    pub clock: String,
    /// Call that reads the clock.
    pub call: Option<&'static str>,
    /// What the clock counts.
    pub counts: Option<&'static str>,
    /// How time synchronisation affects the clock.
    pub steered: Option<&'static str>,
    /// How the clock behaves while the machine is suspended.
    pub suspend: Option<&'static str>,
    /// Whether the documentation allows a later reading to be below an earlier one.
    pub may_go_backwards: Option<bool>,
    /// When the clock goes backwards.
    pub backwards: Option<&'static str>,
    /// Address of the documentation.
    pub source: Option<&'static str>,
    /// Ticks per second.
    pub rate_hz: f64,
    /// Cost measurements.
    pub costs: Vec<Cost>,
    /// Cost measurement while other threads read the same clock, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loaded: Option<LoadedCost>,
    /// Resolution that the system claims.
    #[serde(rename = "claimed_resolution_ns")]
    pub claimed_resolution: Option<Nanos>,
    /// How the clock advanced on one thread.
    pub steps: Option<Steps>,
    /// Whether two processors agree on the clock.
    pub across_cpus: Option<Across>,
    /// Whether the clock counts the processor time of a thread or process: such a clock has no drift.
    #[serde(skip)]
    pub cpu_time: bool,
}

/// The cost of reading a clock, from a timed loop of calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cost {
    /// Calls made.
    pub calls: u64,
    /// Time for all calls.
    #[serde(rename = "total_ns")]
    pub total: Nanos,
    /// Time per call, in ns.
    pub per_call_ns: f64,
}

/// The cost of reading a clock while other threads read the same clock as fast as they can.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoadedCost {
    /// Number of other threads.
    pub readers: u16,
    /// Calls and their time.
    #[serde(flatten)]
    pub cost: Cost,
}

/// How a clock advanced on one thread.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Steps {
    /// Readings taken.
    pub reads: u64,
    /// Smallest step forwards, in ticks.
    pub smallest_ticks: Option<u64>,
    /// Smallest step forwards, in ns; may be below 1.
    pub smallest_ns: Option<f64>,
    /// Share of readings equal to the previous one, 0 to 1.
    pub repeated_share: Option<f64>,
    /// Readings below the previous one.
    pub backwards: u64,
    /// Largest step backwards.
    #[serde(rename = "worst_backwards_ns")]
    pub worst_backwards: Nanos,
}

/// Whether two processors agree on a clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Across {
    /// The processors were not compared.
    Not {
        /// Always `false`.
        compared: bool,
        /// Reason.
        why: String,
    },
    /// The processors were compared.
    Compared {
        /// Always `true`.
        compared: bool,
        /// Whether each thread was pinned to a processor of its own.
        pinned: bool,
        /// Readings compared.
        reads: u64,
        /// Of these, readings below the latest one that the other processor had published.
        earlier: u64,
        /// Largest difference of such a reading, in ticks.
        worst_ticks: u64,
        /// The same difference, in ns.
        #[serde(rename = "worst_ns")]
        worst: Nanos,
    },
}

/// How much faster one clock runs than another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockDrift {
    /// Name of the faster clock.
    pub clock: String,
    /// Name of the slower clock.
    pub against: String,
    /// How much faster it runs.
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
    /// Rounds of readings used.
    pub rounds: usize,
    /// Rounds left out because a reading was interrupted.
    pub left_out: usize,
}

/// Facts about the processor's counter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counter {
    /// Whether the counter runs at one rate whatever the processor's frequency and sleep state.
    pub invariant: bool,
    /// Rate that the processor or hypervisor states.
    pub nominal_hz: Option<f64>,
    /// Clock source that the kernel uses.
    pub clocksource: Option<String>,
    /// Whether the counter may be used in place of the system's clock.
    pub trusted: bool,
}
