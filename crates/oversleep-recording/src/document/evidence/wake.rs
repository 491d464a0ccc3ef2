//! Evidence for the path from the timer to the program: `constant-cost`, `idle-exit`, `run-queue`, `first-call`; and
//! for sleeps that end early.

use super::Rounding;
use super::fact::evidence;

evidence! {
    /// The constant cost of every wake-up.
    pub struct ConstantCost {
        /// Usual lateness in ns, where nothing but slack is subtracted from it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub usual_late_ns: Option<f64>,
        /// Deepest idle state that the sleep allows, where the recording has the machine's idle states.
        #[serde(flatten)]
        pub idle: Option<DeepestIdle>,
    }

    /// Deepest idle state that a processor may enter in such a sleep. Whether it did is not recorded.
    pub struct DeepestIdle {
        /// Name of the state.
        pub deepest_idle: String,
        /// Longest time that leaving it takes, according to its driver, in ns.
        pub exit_latency_ns: i64,
    }

    /// The longer the sleep, the longer the exit from idle.
    pub struct IdleExit {
        /// Lateness of the shortest sleeps, in ns.
        pub shortest_late_ns: f64,
        /// Lateness of the longest sleeps, in ns.
        pub longest_late_ns: f64,
        /// Deepest idle state that the sleep allows, where the recording has the machine's idle states.
        #[serde(flatten)]
        pub idle: Option<DeepestIdle>,
    }

    /// The thread waited for other threads to leave the processor.
    pub struct RunQueue {
        /// Quanta of the other threads, where the samples show them.
        #[serde(flatten)]
        pub quanta: Option<Quanta>,
        /// Usual wait for a turn in ns, where no quanta show.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub turn_ns: Option<i64>,
        /// Lateness without busy threads, where the same cell was also measured without.
        #[serde(flatten)]
        pub load: Option<BesideLoad>,
    }

    /// The same sleeps with and without busy threads.
    pub struct BesideLoad {
        /// Number of busy threads that were recorded.
        pub busy_threads: u32,
        /// Median lateness without the busy threads, in ns.
        pub without_ns: i64,
    }

    /// Quanta of the threads ahead.
    pub struct Quanta {
        /// Length of one quantum, in ns.
        pub quantum_ns: f64,
        /// Standard error of the quantum, in ns.
        pub quantum_error_ns: f64,
        /// Number of threads ahead in the run queue.
        pub threads: u32,
        /// Length of all their quanta together, in ns.
        pub longest_wait_ns: f64,
    }

    /// The first calls are slower.
    pub struct FirstCall {
        /// Number of first calls.
        pub calls: usize,
        /// Median lateness of the first calls, in ns.
        pub late_ns: f64,
        /// Median lateness of all calls, in ns.
        pub usual_late_ns: f64,
    }

    /// Sleeps return before their time is over.
    pub struct EarlyWake {
        /// Number of early sleeps.
        pub early: u64,
        /// Number of sleeps.
        pub sleeps: u64,
        /// Smallest lateness in ns; negative.
        pub earliest_ns: i64,
        /// Whether the method's documentation allows it; `None` for a method that is not in the catalogue.
        pub method_may: Option<bool>,
        /// How the kernel turns requests into ticks, if that ends sleeps early.
        pub rounding: Option<Rounding>,
    }
}
