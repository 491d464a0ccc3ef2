//! Evidence for events while the recording ran: `periodic-interference`, `bimodal`, `change-point`, `host-steal`,
//! `stopped`, `hung`, `missed-periods`.

use super::fact::evidence;
use oversleep_sys::units::Nanos;

evidence! {
    /// Something wakes at a fixed period.
    pub struct PeriodicInterference {
        /// Period, in s.
        pub period_s: f64,
        /// Uncertainty of the period, in s.
        pub period_error_s: f64,
        /// One of its times, near the middle of the recording, on the clock of the sleeps: the others are whole periods away.
        pub at_ns: Nanos,
        /// When it began, in s after the first sleep, or after the watch for stalls began; `None` if it was there for most of the recording.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub from_s: Option<f64>,
        /// When it ended.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub to_s: Option<f64>,
        /// Uncertainty of that; `None` if it is the recording's end.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub to_error_s: Option<f64>,
        /// Number of delayed sleeps.
        pub events: usize,
        /// How much likelier the rhythm is than chance, as a natural logarithm.
        pub log_likelihood_beyond_chance: f64,
    }

    /// Two kinds of wake-up alternate.
    pub struct Bimodal {
        /// Median lateness of the earlier kind, in ns.
        pub lower_ns: f64,
        /// Median lateness of the later kind, in ns.
        pub upper_ns: f64,
        /// Share of sleeps of the later kind, 0 to 1.
        pub upper_share: f64,
    }

    /// From one sleep on, lateness was different.
    pub struct ChangePoint {
        /// Number of the first sleep after the change.
        pub sleep: u64,
        /// Median lateness before, in ns.
        pub before_ns: f64,
        /// Median lateness after, in ns.
        pub after_ns: f64,
        /// Timer resolutions, where they changed.
        #[serde(flatten)]
        pub resolutions: Option<Resolutions>,
        /// The system's name for the rule behind the change.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }

    /// Timer resolutions of the system before and after a change.
    pub struct Resolutions {
        /// Resolution before, in ns.
        pub resolution_before_ns: f64,
        /// Resolution after, in ns.
        pub resolution_after_ns: f64,
    }

    /// Several processors stood still at once.
    pub struct HostSteal {
        /// Number of such stalls.
        pub stalls: usize,
        /// Number of overlapping stalls expected by chance.
        pub expected_by_chance: f64,
        /// Ends of the longest of them, at most 64, ascending, on the clock of the sleeps.
        pub ends_ns: Vec<Nanos>,
    }

    /// The thread was stopped or the machine suspended.
    pub struct Stopped {
        /// Number of such gaps.
        pub times: usize,
        /// 90th percentile of the lateness, at least 1 µs, in ns.
        pub usual_late_ns: i64,
    }

    /// Sleeps that never ended.
    pub struct Hung {
        /// Number of threads whose sleep never ended.
        pub hung: usize,
        /// Number of threads that slept.
        pub threads: usize,
        /// Shortest request that never ended, in ns.
        pub shortest_ns: i64,
        /// Longest request that never ended, in ns.
        pub longest_ns: i64,
    }

    /// Whole periods without a wake-up of their own.
    pub struct MissedPeriods {
        /// Periods that began.
        pub asked: u64,
        /// Of these, periods without a wake-up of their own.
        pub skipped: u64,
    }
}
