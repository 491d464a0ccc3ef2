//! Evidence for causes in clocks: `clock-drift`, `sawtooth`, `clock-step`, `cached-clock`.

use super::fact::{AddFacts, Facts, evidence};
use crate::plan::ClockName;
use serde::Serialize;

/// What a drift was detected in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DriftBasis {
    /// Lateness that slides through a tick while sleeps keep a steady rhythm.
    Slide,
    /// Measured length of the tick.
    Tick,
    /// Quantum of a run queue.
    Quantum,
}

impl AddFacts for DriftBasis {
    fn add_facts(&self, name: &str, to: &mut Facts) {
        let word = match self {
            Self::Slide => "slide",
            Self::Tick => "tick",
            Self::Quantum => "quantum",
        };
        word.add_facts(name, to);
    }
}

evidence! {
    /// The timer runs at another rate than the clock.
    pub struct ClockDrift {
        /// Drift in ppm; positive: the tick is longer than nominal.
        pub drift_ppm: f64,
        /// What the drift was detected in.
        pub basis: DriftBasis,
        /// What one tick more in each rhythm would add to the drift, in ppm: any whole number of these fits the samples as
        /// well. `None` where the rate itself was seen.
        pub alias_ppm: Option<f64>,
        /// Standard error of `alias_ppm`, where the tick's length was measured in these samples.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub alias_error_ppm: Option<f64>,
        /// Rate correction of the system's clock by time synchronisation, in ppm, where recorded; the rest is
        /// calibration and crystals.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ntp_ppm: Option<f64>,
        /// Part of the drift that time synchronisation does not explain, in ppm.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub calibration_ppm: Option<f64>,
        /// What is known of the drift's parts, in words, where rates of counters were recorded and calibration was not found
        /// to be the cause.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub side_by_side: Option<String>,
        /// If the rate changes during the run: start of this drift, in seconds from the first sleep.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub from_s: Option<f64>,
        /// End of this drift, in seconds from the first sleep.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub to_s: Option<f64>,
        /// Uncertainty of `to_s`, in seconds; `None` at the recording's end.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub to_error_s: Option<f64>,
    }

    /// The tick slides relative to the clock's seconds.
    pub struct Sawtooth {
        /// Slope of the lateness, in µs per second.
        pub slope_us_per_s: f64,
        /// Time from one jump to the next, in s, if the tick's rate is known.
        pub period_s: Option<f64>,
        /// Number of jumps seen.
        pub jumps: usize,
        /// Size of the jumps, in ns.
        pub jump_ns: Option<f64>,
        /// Smallest and largest lateness, in ns.
        pub range_ns: [f64; 2],
    }

    /// The wall clock was set.
    pub struct ClockStep {
        /// Time of the step on the monotonic clock, in ns.
        pub monotonic_ns: f64,
        /// Clock that was set.
        pub clock: ClockName,
    }

    /// Sleeps are timed with a clock that is refreshed every few ticks.
    pub struct CachedClock {
        /// Time from one refresh to the next, in ns.
        pub granularity_ns: f64,
        /// The same time, in ticks.
        pub ticks: i64,
        /// Nominal rate of the tick.
        pub hz: f64,
        /// Evidence from sleeps whose end follows from the refreshes.
        #[serde(flatten)]
        pub refreshed: Option<Refreshed>,
        /// Evidence from wake-ups that crowd on the coarser grid of refreshes.
        #[serde(flatten)]
        pub crowded: Option<Crowded>,
    }

    /// Sleeps whose exact tick follows from the refreshes.
    pub struct Refreshed {
        /// Share of sleeps predicted with the refreshes.
        pub predicted_share: f64,
        /// Share of sleeps that the best rule without refreshes predicts.
        pub predicted_share_without: f64,
    }

    /// Wake-ups that crowd on a coarser grid than the tick's.
    pub struct Crowded {
        /// How closely the wake-ups keep the coarser grid: length of their mean vector, 0 to 1.
        pub rayleigh: f64,
        /// The same length, if only the rounding rule were at work.
        pub rayleigh_by_rule: f64,
    }
}
