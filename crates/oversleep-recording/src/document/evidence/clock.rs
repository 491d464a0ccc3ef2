//! Evidence of clocks: `clock-drift`, `sawtooth`, `clock-step`, `cached-clock`.

use super::fact::{AddFacts, Facts, evidence};
use crate::plan::ClockName;
use serde::Serialize;

/// What a drift was seen in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DriftBasis {
    /// Lateness that slides along a steady rhythm.
    Slide,
    /// The tick's length.
    Tick,
    /// The quantum of a run queue.
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
        /// Positive: the tick is longer than nominal.
        pub drift_ppm: f64,
        /// What it was seen in.
        pub basis: DriftBasis,
        /// Whole ticks per second that could be added without any difference; `None` where the rate itself was seen.
        pub alias_ppm: Option<f64>,
        /// Standard error of `alias_ppm`, where the tick's length was measured in these samples.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub alias_error_ppm: Option<f64>,
        /// By how much the system's clock was steered, where the recording says; the rest is calibration and crystals.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub ntp_ppm: Option<f64>,
        /// What of the drift the steering does not explain.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub calibration_ppm: Option<f64>,
        /// Where the rate changes in mid-run: from when on this drift holds, in seconds from the first sleep.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub from_s: Option<f64>,
        /// Until when it holds.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub to_s: Option<f64>,
        /// How uncertain that moment is; none at the recording's end.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub to_error_s: Option<f64>,
    }

    /// The tick slides along the clock's seconds.
    pub struct Sawtooth {
        /// Microseconds per second.
        pub slope_us_per_s: f64,
        /// From one jump to the next, if the tick's rate is known.
        pub period_s: Option<f64>,
        /// Jumps seen.
        pub jumps: usize,
        /// Their size.
        pub jump_ns: Option<f64>,
        /// The least and the most lateness.
        pub range_ns: [f64; 2],
    }

    /// The wall clock was set.
    pub struct ClockStep {
        /// When, on the monotonic clock.
        pub monotonic_ns: f64,
        /// The clock.
        pub clock: ClockName,
    }

    /// Sleeps are timed with a clock that is refreshed every few ticks.
    pub struct CachedClock {
        /// From one refresh to the next.
        pub granularity_ns: f64,
        /// The same in ticks.
        pub ticks: i64,
        /// The tick's rate.
        pub hz: f64,
        /// Where refreshes say of each sleep when it ends.
        #[serde(flatten)]
        pub refreshed: Option<Refreshed>,
        /// Where wake-ups crowd on the coarser grid.
        #[serde(flatten)]
        pub crowded: Option<Crowded>,
    }

    /// Sleeps whose very tick follows from the refreshes.
    pub struct Refreshed {
        /// Their share.
        pub predicted_share: f64,
        /// The share that the best rule without refreshes predicts.
        pub predicted_share_without: f64,
    }

    /// Wake-ups that crowd on a coarser grid than the tick's.
    pub struct Crowded {
        /// How closely they keep it: length of their mean vector, 0 to 1.
        pub rayleigh: f64,
        /// How closely the rounding rule alone would keep it.
        pub rayleigh_by_rule: f64,
    }
}
