//! Latencies as another program counted them: buckets without samples.

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

/// The quantity that the values of a distribution measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// How much later than requested a sleep ended.
    Oversleep,
    /// How much longer than the shortest sleep a sleep took (jHiccup).
    Hiccup,
    /// From a timer's expiry time to its interrupt handler.
    TimerInterrupt,
    /// From a timer's expiry time to a kernel thread.
    TimerThread,
    /// From a timer's expiry time to the return to user space.
    TimerUser,
    /// Gap between two iterations of a busy loop.
    LoopGap,
    /// Time taken from a busy thread, per period.
    Noise,
    /// From a thread's wake-up until it runs.
    RunQueue,
    /// From sending a signal, or releasing a lock, until it arrives.
    Handover,
    /// Run time of a command.
    RunTime,
}

impl Quantity {
    /// Returns the name shown to users.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Oversleep => "oversleep",
            Self::Hiccup => "hiccup",
            Self::TimerInterrupt => "timer to interrupt",
            Self::TimerThread => "timer to kernel thread",
            Self::TimerUser => "timer to user space",
            Self::LoopGap => "gap in a busy loop",
            Self::Noise => "noise per period",
            Self::RunQueue => "wake-up to running",
            Self::Handover => "handover",
            Self::RunTime => "run time",
        }
    }
}

/// Information that a format does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// When each sleep took place.
    Times,
    /// Order of the values.
    Order,
    /// Requests of the sleeps.
    Requests,
    /// Unit, assumed to be the usual one.
    Unit,
    /// Size of values beyond the last bucket.
    Overflow,
    /// Periods without a wake-up of their own.
    SkippedPeriods,
    /// Values below zero.
    EarlyWakes,
    /// Scheduling policy and other conditions.
    Conditions,
    /// The distribution itself: only extremes and a mean are kept.
    Buckets,
}

impl Loss {
    /// Describes what is lost.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Times => "when each value was",
            Self::Order => "which value came after which",
            Self::Requests => "what was asked for",
            Self::Unit => "the unit (taken to be microseconds)",
            Self::Overflow => "how large values beyond the last bucket were",
            Self::SkippedPeriods => "periods that were skipped",
            Self::EarlyWakes => "wake-ups before their time",
            Self::Conditions => "the conditions",
            Self::Buckets => "the distribution",
        }
    }
}
