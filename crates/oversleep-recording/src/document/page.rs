//! The contents of the report page: recordings, each with its document, and its samples in embedded form.

use super::clocks::Clocks;
use super::trace::Trace;
use super::{Explained, Measured, QuantileShift};
use crate::Quantity;
use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::collections::BTreeMap;

/// The report page: several recordings together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Page {
    /// Version of this document.
    pub format: u32,
    /// Program that made it, with version.
    pub tool: String,
    /// Summary of all recordings, in one sentence.
    pub headline: String,
    /// Meaning of each cause that was found, by its identifier.
    pub causes: BTreeMap<String, String>,
    /// Recordings, in the order in which they were named.
    pub recordings: Vec<PageRecording>,
    /// Comparison of two sides of recordings, a table for each row that both have; empty for other pages.
    pub compared: Vec<PageTable>,
}

/// A table in words, as the text of the same command shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageTable {
    /// What it is about.
    pub title: String,
    /// Headings of its columns.
    pub headings: Vec<String>,
    /// Fields of each row.
    pub rows: Vec<Vec<String>>,
    /// Remarks on it.
    pub remarks: Vec<String>,
}

impl Page {
    /// The version that this build writes.
    pub const FORMAT: u32 = 1;
}

/// One recording. Which of its documents are present depends on its kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageRecording {
    /// Name of the file.
    pub name: String,
    /// Summary, in one sentence.
    pub headline: String,
    /// Advice, where something is known to help.
    pub advice: Option<String>,
    /// Reasons to doubt the figures, a sentence each: a busy machine, a run that ended early.
    pub warnings: Vec<String>,
    /// Command that repeats the measurement, where there is one.
    pub repeat: Option<String>,
    /// Figures.
    pub measured: Measured,
    /// Figures with findings; `None` for stalls, clocks and traced sleeps.
    pub explained: Option<Explained>,
    /// Labels of the cells, in the order of the figures.
    pub cells: Vec<PageCell>,
    /// Cells that share a colour in pictures, in the order in which they are drawn.
    pub series: Vec<PageSeries>,
    /// Counts of another program's file, whose figures are in `measured.distributions`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<PageCounts>,
    /// Traced cells.
    pub traces: Vec<PageTrace>,
    /// The clock survey, if the recording is one.
    pub clocks: Option<Clocks>,
    /// Drift of clocks that were read together during the run.
    pub drift: Vec<DriftLine>,
    /// What the models laid over the sleeps predict, a line for each cell that has a model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicted: Vec<PredictedLine>,
    /// Samples; `None` if the recording has none, or none that fit.
    pub samples: Option<PackedSamples>,
    /// Shifts of the cells' medians against the first recording, in the order of the cells, where there are several recordings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shifts: Vec<Option<PageShift>>,
}

/// How far a cell's median lies from that of a cell of the first recording, as `compare` finds it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageShift {
    /// Index of the cell of the first recording.
    pub first: usize,
    /// The shift, with its interval and verdict.
    pub shift: QuantileShift,
}

/// The labels of a cell, and the distribution of all its sleeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageCell {
    /// Label that distinguishes the cell from the others: method, and what differs in request and conditions.
    pub label: String,
    /// Request in words.
    pub asked: String,
    /// Conditions in words: as obtained, for those that were requested.
    pub conditions: String,
    /// Time of the cell's clock at the beginning, as a decimal number in ns: `start` and `end` of its samples count
    /// from it.
    pub origin_ns: String,
    /// Of a schedule: what its periods left after their wake-ups, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_left: Option<String>,
    /// Distribution of the lateness: bin numbers with their counts, ascending. [`Bins`] defines the bins.
    pub histogram: Vec<(i32, u64)>,
}

/// Cells that share a colour in pictures. Cells that never slept may be in none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageSeries {
    /// Name for a legend; `None` if it is the only series.
    pub name: Option<String>,
    /// Number of its colour and marker.
    pub colour: usize,
    /// Indices of its cells.
    pub cells: Vec<usize>,
}

/// Counts in another program's own buckets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageCounts {
    /// Label that distinguishes the counts from the others: method, and what differs in conditions and quantity.
    pub label: String,
    /// Quantity that was counted.
    pub quantity: Quantity,
    /// Buckets, ascending: lowest value, highest value, number of values. The last one holds the values beyond the file's own
    /// buckets, where both of their bounds are known.
    pub buckets_ns: Vec<(Nanos, Nanos, u64)>,
}

/// The bins of a [`PageCell::histogram`]: evenly spaced on a logarithmic axis with a positive and a negative half.
///
/// Bin `k > 0` is from `10^((k − 1) / PER_DECADE)` to below `10^(k / PER_DECADE)` ns, bin `−k` the same below zero, and
/// bin 0 holds values less than 1 ns from zero.
#[derive(Debug, Clone, Copy)]
pub struct Bins;

impl Bins {
    /// Bins per decade.
    pub const PER_DECADE: i32 = 40;
    /// Decades on each side of zero.
    pub const DECADES: i32 = 12;

    /// Returns the lower edges of the positive bins in ns, from 1 ns on; several small ones may be equal.
    pub fn edges() -> impl Iterator<Item = i64> {
        let per_decade = f64::from(Self::PER_DECADE);
        (0..=Self::DECADES * Self::PER_DECADE)
            .map(move |bin| Nanos::from_f64((10_f64.powf(f64::from(bin) / per_decade) - 1e-9).ceil()).get())
    }
}

/// One traced cell: its figures, and some of its sleeps.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageTrace {
    /// Document of the cell.
    pub trace: Trace,
    /// Names of the columns of [`TracedSleep::times_ns`].
    pub parts: Vec<String>,
    /// Sleeps from the whole run, with the latest of all, in order.
    pub sleeps: Vec<TracedSleep>,
}

/// One traced sleep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TracedSleep {
    /// Number of the sleep.
    pub sequence: u64,
    /// Oversleep.
    #[serde(rename = "oversleep_ns")]
    pub oversleep: Nanos,
    /// Times of the parts; they sum to `oversleep`.
    pub times_ns: Vec<Nanos>,
    /// Who used the processor for most of the longest part, where known.
    pub owner: Option<String>,
    /// Why the parts could not all be separated; `None` if they could.
    pub incomplete: Option<String>,
}

/// How far a clock ran ahead of the monotonic one during the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DriftLine {
    /// Name of the clock.
    pub clock: String,
    /// Time since the first reading, and how much further than the monotonic clock this clock advanced, both in ns.
    pub points: Vec<(Nanos, Nanos)>,
}

/// The lateness that a model predicts for some sleeps of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PredictedLine {
    /// Number of the cell.
    pub cell: u32,
    /// Start of each of these sleeps, counted from the cell's origin, and its predicted lateness, both in ns; ascending.
    pub points: Vec<(Nanos, Nanos)>,
}

/// Embedded samples: columns of whole numbers, each split into planes of bytes (the lowest first), everything
/// deflated and base64-encoded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackedSamples {
    /// Number of samples embedded.
    pub count: u64,
    /// Number of samples in the recording. If larger, the latest and earliest are embedded, and one of `one_of` others.
    pub of: u64,
    /// Interval of embedding: one of this many samples.
    pub one_of: u64,
    /// Columns of the samples.
    pub columns: Vec<PackedColumn>,
}

/// A column of embedded samples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackedColumn {
    /// Name of the column.
    pub name: String,
    /// Bytes per value; 0 for a column of zeros, which is not stored.
    pub width: u8,
}
