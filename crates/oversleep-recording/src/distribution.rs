//! Latencies as another program counted them: buckets, and no samples.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// What one cell's thread saw, as a file gives it. Nothing is known of the order or the time of the values unless it says so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// The cell.
    pub cell: u32,
    /// What was counted.
    pub quantity: Quantity,
    /// How many values there were.
    pub count: u64,
    /// The buckets, ascending: lowest value, highest value, how many.
    #[serde(rename = "buckets_ns")]
    pub buckets: Vec<(Nanos, Nanos, u64)>,
    /// Values that are in no bucket are at or above this, where that is known.
    #[serde(rename = "outside_from_ns", skip_serializing_if = "Option::is_none", default)]
    pub outside_from: Option<Nanos>,
    /// The smallest value: at least this.
    #[serde(rename = "min_ns")]
    pub min: Option<Nanos>,
    /// The largest value: at most this.
    #[serde(rename = "max_ns")]
    pub max: Option<Nanos>,
    /// The mean, as the file gives it.
    pub mean_ns: Option<f64>,
    /// What the file does not tell.
    pub lost: Vec<Loss>,
}

impl Distribution {
    /// Returns how many values are in buckets.
    pub fn in_buckets(&self) -> u64 {
        self.buckets.iter().map(|(_, _, count)| count).fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Returns how many values are in none.
    pub fn outside(&self) -> u64 {
        self.count.saturating_sub(self.in_buckets())
    }
}

/// What the values of a distribution are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// How much later than asked a sleep ended.
    Oversleep,
    /// How much longer than the shortest sleep one took (jHiccup).
    Hiccup,
    /// From the time a timer was set for to its interrupt handler.
    TimerInterrupt,
    /// From the time a timer was set for to a kernel thread.
    TimerThread,
    /// From the time a timer was set for to a return to user space.
    TimerUser,
    /// How long a busy loop was kept from its next turn.
    LoopGap,
    /// Time taken from a busy thread, within each period.
    Noise,
    /// From a wake-up to running.
    RunQueue,
    /// From sending a signal, or passing a lock, to its arrival.
    Handover,
    /// How long a command ran.
    RunTime,
}

impl Quantity {
    /// Returns its name for people.
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

/// Something a format does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// When each sleep was.
    Times,
    /// Which value came after which.
    Order,
    /// What was asked for.
    Requests,
    /// The unit, which is taken to be the usual one.
    Unit,
    /// How large values beyond the last bucket were.
    Overflow,
    /// Periods without a wake-up of their own.
    SkippedPeriods,
    /// Values below zero.
    EarlyWakes,
    /// Scheduling policy and other conditions.
    Conditions,
    /// The distribution: only extremes and a mean are left.
    Buckets,
}

impl Loss {
    /// Returns it in words.
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
