//! Evidence of what happened while the recording ran: `periodic-interference`, `bimodal`, `change-point`, `host-steal`,
//! `stopped`, `hung`, `missed-periods`.

use super::fact::evidence;

evidence! {
    /// Something wakes at a fixed period.
    pub struct PeriodicInterference {
        /// The period.
        pub period_s: f64,
        /// How far it may be off.
        pub period_error_s: f64,
        /// Delayed sleeps.
        pub events: usize,
        /// By how much the rhythm beats chance, as a natural logarithm.
        pub log_likelihood_beyond_chance: f64,
    }

    /// Two kinds of wake-up alternate.
    pub struct Bimodal {
        /// The middle of the earlier kind.
        pub lower_ns: f64,
        /// The middle of the later kind.
        pub upper_ns: f64,
        /// Share of the later kind.
        pub upper_share: f64,
    }

    /// From one sleep on, lateness was different.
    pub struct ChangePoint {
        /// Number of that sleep.
        pub sleep: u64,
        /// Median lateness before.
        pub before_ns: f64,
        /// Median lateness after.
        pub after_ns: f64,
        /// Where the timers' resolution changed.
        #[serde(flatten)]
        pub resolutions: Option<Resolutions>,
        /// What the system calls it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub system_rule: Option<String>,
    }

    /// Resolutions of the system's timers on either side of a change.
    pub struct Resolutions {
        /// Before.
        pub resolution_before_ns: f64,
        /// After.
        pub resolution_after_ns: f64,
    }

    /// Several processors stood still at once.
    pub struct HostSteal {
        /// How often.
        pub stalls: usize,
        /// How often chance would show it.
        pub expected_by_chance: f64,
    }

    /// The thread was stopped or the machine suspended.
    pub struct Stopped {
        /// How often.
        pub times: usize,
        /// Nine of ten sleeps are not later than this.
        pub usual_late_ns: i64,
    }

    /// Sleeps that never ended.
    pub struct Hung {
        /// Threads of cells that slept no more.
        pub hung: usize,
        /// Out of this number.
        pub threads: usize,
        /// The shortest request that never ended.
        pub shortest_ns: i64,
        /// The longest.
        pub longest_ns: i64,
    }

    /// Whole periods without a wake-up of their own.
    pub struct MissedPeriods {
        /// Periods that began.
        pub asked: u64,
        /// Of these, those without.
        pub skipped: u64,
    }
}
