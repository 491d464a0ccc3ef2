//! Latencies as another program counted them: buckets without samples.

use crate::names;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Latencies of one cell's thread, as a file gives them. Order and times of the values are unknown unless the file says
/// so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// Number of the cell.
    pub cell: u32,
    /// Quantity that was counted.
    pub quantity: Quantity,
    /// Number of values.
    pub count: u64,
    /// Buckets, ascending: lowest value, highest value, number of values.
    #[serde(rename = "buckets_ns")]
    pub buckets: Vec<(Nanos, Nanos, u64)>,
    /// Lower bound of the values that are in no bucket, where known.
    #[serde(rename = "outside_from_ns", skip_serializing_if = "Option::is_none", default)]
    pub outside_from: Option<Nanos>,
    /// Lower bound of the smallest value.
    #[serde(rename = "min_ns")]
    pub min: Option<Nanos>,
    /// Upper bound of the largest value.
    #[serde(rename = "max_ns")]
    pub max: Option<Nanos>,
    /// Mean as the file gives it, in ns.
    pub mean_ns: Option<f64>,
    /// What the file does not record.
    pub lost: Vec<Loss>,
}

impl Distribution {
    /// Returns the number of values in buckets.
    pub fn in_buckets(&self) -> u64 {
        self.buckets.iter().map(|(_, _, count)| count).fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Returns the number of values in no bucket.
    pub fn outside(&self) -> u64 {
        self.count.saturating_sub(self.in_buckets())
    }
}

names! {
    /// The quantity that the values of a distribution measure.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum Quantity {
        /// How much later than requested a sleep ended.
        Oversleep = "oversleep",
        /// How much longer than the shortest sleep a sleep took (jHiccup).
        Hiccup = "hiccup",
        /// From a timer's expiry time to its interrupt handler.
        TimerInterrupt = "timer to interrupt",
        /// From a timer's expiry time to a kernel thread.
        TimerThread = "timer to kernel thread",
        /// From a timer's expiry time to the return to user space.
        TimerUser = "timer to user space",
        /// Gap between two iterations of a busy loop.
        LoopGap = "gap in a busy loop",
        /// Time taken from a busy thread, per period.
        Noise = "noise per period",
        /// From a thread's wake-up until it runs.
        RunQueue = "wake-up to running",
        /// From sending a signal, or releasing a lock, until it arrives.
        Handover = "handover",
        /// Run time of a command.
        RunTime = "run time",
    }

    /// Information that a format does not keep.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum Loss {
        /// When each sleep took place.
        Times = "when each value was",
        /// Order of the values.
        Order = "which value came after which",
        /// Requests of the sleeps.
        Requests = "what was asked for",
        /// Unit, assumed to be the usual one.
        Unit = "the unit (taken to be microseconds)",
        /// Size of values beyond the last bucket.
        Overflow = "how large values beyond the last bucket were",
        /// Periods without a wake-up of their own.
        SkippedPeriods = "periods that were skipped",
        /// Values below zero.
        EarlyWakes = "wake-ups before their time",
        /// Scheduling policy and other conditions.
        Conditions = "the conditions",
        /// The distribution itself: only extremes and a mean are kept.
        Buckets = "the distribution",
    }
}
