//! The figures of a measurement: what `measure`, `simulate` and `report` print.

use crate::machine::Machine;
use crate::plan::{ClockName, Conditions, PatternKind};
use crate::{End, Loss, Origin, Quantity, Unobtained, Unsound};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// What was measured. A value that the samples cannot carry is `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measured<C = CellFigures> {
    /// The version of this form.
    pub format: u32,
    /// What wrote the recording, with version.
    pub tool: String,
    /// The experiment's name.
    pub experiment: String,
    /// Where the samples come from.
    pub origin: Origin,
    /// When it began (RFC 3339, UTC), if known.
    pub started: Option<String>,
    /// How it ended; `None` if it was cut off.
    pub ended: Option<End>,
    /// The machine.
    pub machine: Machine,
    /// Its cells, in the plan's order.
    pub cells: Vec<C>,
    /// Figures of files that hold buckets and no samples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub distributions: Vec<DistributionFigures>,
    /// What the figures of another program's file mean, as that program defines them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conventions: Vec<String>,
    /// Samples lost because they could not be stored fast enough.
    pub lost: u64,
    /// Samples of the file that cannot be as they stand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsound: Vec<Unsound>,
    /// What was asked for and could not be had.
    pub unavailable: Vec<Unobtained>,
    /// Late sleeps, where they were watched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<super::late::LateSleeps>,
    /// What the kernel was told while a program slept, where that was traced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<super::runtimes::ToldTime>,
    /// Stalls of processors, where those were watched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stalls: Option<super::stalls::Stalls>,
}

impl Measured {
    /// The version this build writes.
    pub const FORMAT: u32 = 1;
}

/// One cell and its figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CellFigures {
    /// The method.
    pub method: String,
    /// What was asked for; `None` where each sleep asked for something else.
    pub requested_ns: Option<Nanos>,
    /// How requests follow each other.
    pub pattern: PatternKind,
    /// Whether deadlines were asked for, and not durations.
    pub absolute: bool,
    /// The clock that was read.
    pub clock: ClockName,
    /// What was in force.
    pub conditions: AskedAndObtained,
    /// All sleeps.
    #[serde(flatten)]
    pub raw: Figures,
    /// Sleeps that a signal ended; in all figures.
    pub interrupted: u64,
    /// Calls that failed; in no figure.
    pub failed: u64,
    /// Oversleeps of each thread's first call.
    pub first_ns: Vec<Nanos>,
    /// The account of a schedule's periods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<PeriodCounts>,
    /// Each thread of a schedule by itself, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<ThreadFigures>,
    /// What a schedule would have felt: the series corrected for periods omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Figures>,
}

/// One thread of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadFigures {
    /// Its number, from 0.
    pub thread: u16,
    /// Its wake-ups.
    #[serde(flatten)]
    pub raw: Figures,
    /// Its account; absent where the run was cut off before it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<PeriodCounts>,
}

/// Conditions asked for, and as they were read back.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskedAndObtained {
    /// Asked for.
    pub asked: Conditions,
    /// Read back from the system; `None` if the cell never slept.
    pub obtained: Option<Conditions>,
}

/// The account of a schedule. `asked == fresh + late + skipped`.
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

/// One series' figures. What the number of samples cannot carry is `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figures {
    /// How many samples.
    pub n: u64,
    /// How many woke early: an oversleep below zero.
    pub early: u64,
    /// The smallest oversleep.
    #[serde(rename = "min_ns")]
    pub min: Option<Nanos>,
    /// The mean.
    pub mean_ns: Option<f64>,
    /// The sample standard deviation.
    pub sd_ns: Option<f64>,
    /// The median.
    #[serde(rename = "p50_ns")]
    pub p50: Option<Nanos>,
    /// Lower end of the median's 95 % interval.
    #[serde(rename = "p50_low_ns")]
    pub p50_low: Option<Nanos>,
    /// Upper end of the median's 95 % interval.
    #[serde(rename = "p50_high_ns")]
    pub p50_high: Option<Nanos>,
    /// Nine of ten are at or below.
    #[serde(rename = "p90_ns")]
    pub p90: Option<Nanos>,
    /// 99 of 100 are at or below.
    #[serde(rename = "p99_ns")]
    pub p99: Option<Nanos>,
    /// 999 of 1000 are at or below.
    #[serde(rename = "p999_ns")]
    pub p999: Option<Nanos>,
    /// The largest.
    #[serde(rename = "max_ns")]
    pub max: Option<Nanos>,
    /// Whether quantiles are exact; otherwise they come from a histogram with three significant digits.
    #[serde(rename = "quantiles_exact")]
    pub exact: bool,
}

/// Figures of a distribution in buckets: each quantile lies between two bounds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DistributionFigures {
    /// The cell's number in the recording.
    pub cell: u32,
    /// Who slept: the program, and its thread where it counts them apart.
    pub method: String,
    /// What was asked for, where it is known.
    pub requested_ns: Option<Nanos>,
    /// The conditions that the file tells of.
    pub conditions: Conditions,
    /// What was counted.
    pub quantity: Quantity,
    /// How many values there were.
    pub n: u64,
    /// How many of them are in no bucket.
    pub outside: u64,
    /// The smallest value is at least this.
    #[serde(rename = "min_ns")]
    pub min: Option<Nanos>,
    /// The mean, as the file gives it.
    pub mean_ns: Option<f64>,
    /// The median.
    pub p50: Option<Bounds>,
    /// Nine of ten are at or below.
    pub p90: Option<Bounds>,
    /// 99 of 100 are at or below.
    pub p99: Option<Bounds>,
    /// 999 of 1000 are at or below.
    pub p999: Option<Bounds>,
    /// The largest value is at most this.
    #[serde(rename = "max_ns")]
    pub max: Option<Nanos>,
    /// What the file does not tell.
    pub lost: Vec<Loss>,
}

/// Where a value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bounds {
    /// At or above this, where that is known.
    #[serde(rename = "low_ns")]
    pub low: Option<Nanos>,
    /// At or below this, where that is known.
    #[serde(rename = "high_ns")]
    pub high: Option<Nanos>,
}
