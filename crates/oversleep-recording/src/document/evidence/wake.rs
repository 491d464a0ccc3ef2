//! Evidence of the way from the timer to the program: `constant-cost`, `idle-exit`, `run-queue`, `first-call`; and of
//! sleeps that end early.

use super::fact::evidence;

evidence! {
    /// The price of every wake-up.
    pub struct ConstantCost {
        /// The usual lateness, where nothing but slack is taken off it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub usual_late_ns: Option<f64>,
    }

    /// The longer the sleep, the longer the way out of idle.
    pub struct IdleExit {
        /// Lateness of the shortest sleeps.
        pub shortest_late_ns: f64,
        /// Lateness of the longest.
        pub longest_late_ns: f64,
    }

    /// The thread waited for others to leave the processor.
    pub struct RunQueue {
        /// Where the others' quanta show.
        #[serde(flatten)]
        pub quanta: Option<Quanta>,
        /// Where they do not: the usual wait for a turn.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub turn_ns: Option<i64>,
        /// Where the same was slept without busy threads.
        #[serde(flatten)]
        pub load: Option<BesideLoad>,
    }

    /// The same sleeps with and without busy threads.
    pub struct BesideLoad {
        /// Busy threads that were recorded.
        pub busy_threads: u32,
        /// Median lateness without them.
        pub without_ns: i64,
    }

    /// Quanta of the threads ahead.
    pub struct Quanta {
        /// One quantum.
        pub quantum_ns: f64,
        /// Its standard error.
        pub quantum_error_ns: f64,
        /// Threads ahead.
        pub threads: u32,
        /// All their quanta.
        pub longest_wait_ns: f64,
    }

    /// The first calls are slower.
    pub struct FirstCall {
        /// How many.
        pub calls: usize,
        /// Their median lateness.
        pub late_ns: f64,
        /// The median of all.
        pub usual_late_ns: f64,
    }

    /// Sleeps return before their time is over.
    pub struct EarlyWake {
        /// How many.
        pub early: u64,
        /// Out of this number.
        pub sleeps: u64,
        /// The least lateness.
        pub earliest_ns: i64,
        /// Whether the method's documentation allows it; `None` for a method that is not in the catalogue.
        pub method_may: Option<bool>,
    }
}
