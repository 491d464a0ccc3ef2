//! The figures of a measurement: what `measure`, `simulate` and `report` print.

use crate::machine::Machine;
use crate::plan::{ClockName, Conditions, Kind, PatternKind};
use crate::{End, Loss, Origin, Quantity, Unobtained, Unsound};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// The figures of a recording. A value for which there are too few samples is `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measured<C = CellFigures> {
    /// Version of this document.
    pub format: u32,
    /// Program that wrote the recording, with version.
    pub tool: String,
    /// What the recording is of.
    pub kind: Kind,
    /// Origin of the samples.
    pub origin: Origin,
    /// When the run began (RFC 3339, UTC), if known.
    pub started: Option<String>,
    /// How the run ended; `None` if the recording was cut off.
    pub ended: Option<End>,
    /// Facts about the machine.
    pub machine: Machine,
    /// Figures of the cells, in the plan's order.
    pub cells: Vec<C>,
    /// Figures of files that contain buckets and no samples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub distributions: Vec<DistributionFigures>,
    /// Meaning of the figures of another program's file, as that program defines them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conventions: Vec<String>,
    /// Number of samples lost because they could not be stored fast enough.
    pub lost: u64,
    /// Samples of the file that cannot be right.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsound: Vec<Unsound>,
    /// What was requested and could not be had.
    pub unavailable: Vec<Unobtained>,
    /// Late sleeps, if the run watched for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<super::late::LateSleeps>,
    /// Times that programs passed to the kernel for their sleeps, where system calls were traced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<super::runtimes::KernelRequest>,
    /// Stalls of processors, if the run watched for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalls: Option<super::stalls::Stalls>,
    /// Loops and culprits of another program whose waits were recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attached: Option<super::attach::Attached>,
    /// Loops in another program's table of sleeps, the one with most rounds first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<super::attach::Loop>,
}

impl Measured {
    /// The version that this build writes.
    pub const FORMAT: u32 = 1;
}

/// The figures of one cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CellFigures {
    /// Name of the method.
    pub method: String,
    /// Requested duration; `None` where it differs from sleep to sleep.
    pub requested_ns: Option<Nanos>,
    /// How the requests follow each other.
    pub pattern: PatternKind,
    /// Whether the sleeps had deadlines rather than durations.
    pub absolute: bool,
    /// Clock that timed the sleeps.
    pub clock: ClockName,
    /// Conditions, requested and obtained.
    pub conditions: AskedAndObtained,
    /// Figures of all sleeps.
    #[serde(flatten)]
    pub raw: Figures,
    /// Number of sleeps that a signal ended; included in all figures.
    pub interrupted: u64,
    /// Number of calls that failed; in no figure.
    pub failed: u64,
    /// Oversleep of the first call of each thread.
    pub first_ns: Vec<Nanos>,
    /// What a sleep took of the processor, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostFigures>,
    /// Period counts of a schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<PeriodCounts>,
    /// Figures of each thread of a schedule, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<ThreadFigures>,
    /// Figures of a schedule corrected for the omitted periods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Figures>,
    /// Time that the periods of a schedule left after their wake-ups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_left: Option<TimeLeft>,
    /// Sleeps later than a limit, or stalls longer than it, where one was given (`--over`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<ShareOver>,
}

/// What a sleep took of the processor: means over a cell's sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CostFigures {
    /// Number of sleeps.
    pub sleeps: u64,
    /// Processor time of the thread a sleep, in nanoseconds, with the two readings of the clock around it.
    pub processor_ns: f64,
    /// How often the thread had to be woken, a sleep; `None` where the system does not count it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wake_ups: Option<f64>,
}

/// Number of sleeps later than a limit, or of stalls longer than it, and how large their share may be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShareOver {
    /// The limit.
    #[serde(rename = "limit_ns")]
    pub limit: Nanos,
    /// Number of sleeps or stalls beyond it.
    pub count: u64,
    /// Number of all.
    pub of: u64,
    /// Lower end of the share's 95 % interval (Clopper–Pearson), 0 to 1; `None` for stalls.
    pub share_low: Option<f64>,
    /// Upper end of it.
    pub share_high: Option<f64>,
    /// Of stalls: their time together.
    #[serde(rename = "time_ns", skip_serializing_if = "Option::is_none")]
    pub time: Option<Nanos>,
    /// Of stalls: time for which the processor was watched.
    #[serde(rename = "watched_ns", skip_serializing_if = "Option::is_none")]
    pub watched: Option<Nanos>,
    /// Whether the number is exact; otherwise the limit is rounded to three digits.
    #[serde(rename = "count_exact")]
    pub exact: bool,
}

/// The figures of one thread of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadFigures {
    /// Number of the thread, from 0.
    pub thread: u16,
    /// Figures of the thread's wake-ups.
    #[serde(flatten)]
    pub raw: Figures,
    /// Period counts of the thread; absent where the run was cut off before they were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<PeriodCounts>,
}

/// The conditions of a cell, as requested and as read back.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskedAndObtained {
    /// Conditions requested.
    pub asked: Conditions,
    /// Conditions read back from the system; `None` if the cell never slept.
    pub obtained: Option<Conditions>,
}

/// Period counts of a schedule. `asked == fresh + late + skipped`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PeriodCounts {
    /// Periods that began while the run lasted.
    pub asked: u64,
    /// Wake-ups before the next period's deadline.
    pub fresh: u64,
    /// Wake-ups at or after the next period's deadline.
    pub late: u64,
    /// Periods without a wake-up of their own.
    pub skipped: u64,
    /// Wake-ups before their deadline (also counted as fresh).
    pub early: u64,
}

/// Time that the periods of a schedule left after their wake-ups, until the next deadline: from zero to the period. Every
/// period counts, those without a wake-up of their own too. Figures for which there are too few periods are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeLeft {
    /// The period.
    #[serde(rename = "period_ns")]
    pub period: Nanos,
    /// Time that every period left at least.
    #[serde(rename = "least_ns")]
    pub least: Option<Nanos>,
    /// Least time that 50 % of the periods left.
    #[serde(rename = "p50_ns")]
    pub p50: Option<Nanos>,
    /// Time that 90 % of the periods left at least.
    #[serde(rename = "p90_ns")]
    pub p90: Option<Nanos>,
    /// Time that 99 % of the periods left at least.
    #[serde(rename = "p99_ns")]
    pub p99: Option<Nanos>,
    /// Time that 99.9 % of the periods left at least.
    #[serde(rename = "p999_ns")]
    pub p999: Option<Nanos>,
    /// Periods with and without time for their work, where it was given how long that takes (`--work`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<PeriodsForWork>,
}

/// Number of periods with and without time for their work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PeriodsForWork {
    /// How long the work of a period takes.
    #[serde(rename = "time_ns")]
    pub time: Nanos,
    /// Periods that left as much or more.
    pub enough: u64,
    /// Periods that left less.
    pub missed: u64,
}

impl PeriodsForWork {
    /// Returns the number of all periods.
    pub const fn all(&self) -> u64 {
        self.enough.saturating_add(self.missed)
    }
}

/// Figures of a series of oversleeps. Those for which there are too few samples are `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figures {
    /// Number of samples.
    pub n: u64,
    /// Number of samples that woke early: with an oversleep below zero.
    pub early: u64,
    /// Smallest oversleep.
    #[serde(rename = "min_ns")]
    pub min: Option<Nanos>,
    /// Mean, in ns.
    pub mean_ns: Option<f64>,
    /// Sample standard deviation, in ns.
    pub sd_ns: Option<f64>,
    /// Median.
    #[serde(rename = "p50_ns")]
    pub p50: Option<Nanos>,
    /// Lower end of the median's 95 % interval.
    #[serde(rename = "p50_low_ns")]
    pub p50_low: Option<Nanos>,
    /// Upper end of the median's 95 % interval.
    #[serde(rename = "p50_high_ns")]
    pub p50_high: Option<Nanos>,
    /// 90th percentile.
    #[serde(rename = "p90_ns")]
    pub p90: Option<Nanos>,
    /// 99th percentile.
    #[serde(rename = "p99_ns")]
    pub p99: Option<Nanos>,
    /// 99.9th percentile.
    #[serde(rename = "p999_ns")]
    pub p999: Option<Nanos>,
    /// Largest oversleep.
    #[serde(rename = "max_ns")]
    pub max: Option<Nanos>,
    /// Whether the quantiles are exact; otherwise they come from a histogram with three significant digits.
    #[serde(rename = "quantiles_exact")]
    pub exact: bool,
}

/// Figures of a distribution in buckets: each quantile lies between two bounds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DistributionFigures {
    /// Number of the cell in the recording.
    pub cell: u32,
    /// Program that slept, and its thread if it counts threads separately.
    pub method: String,
    /// Requested duration, where known.
    pub requested_ns: Option<Nanos>,
    /// Conditions that the file states.
    pub conditions: Conditions,
    /// Quantity that was counted.
    pub quantity: Quantity,
    /// Number of values.
    pub n: u64,
    /// Number of values that are in no bucket.
    pub outside: u64,
    /// Lower bound of the smallest value.
    #[serde(rename = "min_ns")]
    pub min: Option<Nanos>,
    /// Mean as the file gives it, in ns.
    pub mean_ns: Option<f64>,
    /// Bounds of the median.
    pub p50: Option<Bounds>,
    /// Bounds of the 90th percentile.
    pub p90: Option<Bounds>,
    /// Bounds of the 99th percentile.
    pub p99: Option<Bounds>,
    /// Bounds of the 99.9th percentile.
    pub p999: Option<Bounds>,
    /// Upper bound of the largest value.
    #[serde(rename = "max_ns")]
    pub max: Option<Nanos>,
    /// Bounds of the figures of every period, those that were skipped included; only where the file lacks skipped
    /// periods. If it does not state the period, they hold for any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<CorrectedBounds>,
    /// What the file does not record.
    pub lost: Vec<Loss>,
}

/// Figures of a distribution corrected for skipped periods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CorrectedBounds {
    /// Lower bound of the number of values.
    pub n_low: u64,
    /// Upper bound of the number of values; `None` if the file does not state the period.
    pub n_high: Option<u64>,
    /// Bounds of the median.
    pub p50: Option<Bounds>,
    /// Bounds of the 90th percentile.
    pub p90: Option<Bounds>,
    /// Bounds of the 99th percentile.
    pub p99: Option<Bounds>,
    /// Bounds of the 99.9th percentile.
    pub p999: Option<Bounds>,
}

/// Bounds of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bounds {
    /// Lower bound, where known.
    #[serde(rename = "low_ns")]
    pub low: Option<Nanos>,
    /// Upper bound, where known.
    #[serde(rename = "high_ns")]
    pub high: Option<Nanos>,
}
