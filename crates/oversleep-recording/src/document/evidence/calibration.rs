//! Evidence for `calibration`: the rates of counters, as stated and as the kernel assumes them.

use super::fact::{AddFacts, Facts, evidence};
use serde::Serialize;

/// What a counter times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Times {
    /// The system's clock.
    Clock,
    /// The kernel's tick.
    Tick,
}

/// A counter whose rate is known from two sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssumedRate {
    /// Name of the counter.
    pub counter: String,
    /// What the counter times.
    pub times: Times,
    /// Rate that the processor, the hypervisor or the firmware states.
    pub stated_hz: u64,
    /// Rate that the kernel assumes.
    pub kernel_hz: u64,
    /// By how much the difference lengthens the tick on the clock, in ppm.
    pub drift_ppm: f64,
}

/// A drift and its parts, each in ppm; positive: the tick is longer on the clock. Parts multiply: with 1 % and 10 ppm,
/// their sum is off by 0.1 ppm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DriftParts {
    /// The whole drift, as the samples show it.
    pub drift_ppm: f64,
    /// What the kernel's rates of its counters add, against the stated ones.
    pub calibration_ppm: f64,
    /// What time synchronisation adds.
    pub ntp_ppm: f64,
    /// What the tick's whole number of counts adds; `None` where that number is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounding_ppm: Option<f64>,
    /// What is left of the drift.
    pub left_ppm: f64,
}

/// Listed in JSON only: `side_by_side` says it in words.
impl AddFacts for DriftParts {
    fn add_facts(&self, _: &str, _: &mut Facts) {}
}

evidence! {
    /// The kernel counts time at another rate than the processor or firmware states.
    pub struct Calibration {
        /// The drift and its parts.
        pub parts: DriftParts,
        /// The counters, with both rates.
        pub counters: Vec<AssumedRate>,
        /// Rates and parts side by side, in words.
        pub side_by_side: String,
    }
}
