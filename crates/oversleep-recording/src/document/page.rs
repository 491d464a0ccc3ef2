//! What the report page shows: recordings, each with its document, and how their samples are embedded.

use super::clocks::Clocks;
use super::trace::Trace;
use super::{Explained, Measured};
use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::collections::BTreeMap;

/// The report page: recordings side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Page {
    /// The version of this form.
    pub format: u32,
    /// What made it, with version.
    pub tool: String,
    /// What all recordings say together, in one sentence.
    pub headline: String,
    /// What each cause that was found means.
    pub causes: BTreeMap<String, String>,
    /// The recordings, in the order in which they were named.
    pub recordings: Vec<PageRecording>,
}

impl Page {
    /// The version this build writes.
    pub const FORMAT: u32 = 1;
}

/// One recording. Which of its documents is there depends on its kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageRecording {
    /// The file's name.
    pub name: String,
    /// What it says, in one sentence.
    pub headline: String,
    /// What to do about it, where something is known to help.
    pub advice: Option<String>,
    /// What makes its figures doubtful, a sentence each: a busy machine, a run that ended early.
    pub warnings: Vec<String>,
    /// The command that measures the same again, where there is one.
    pub repeat: Option<String>,
    /// Its figures.
    pub measured: Measured,
    /// Its figures with findings; `None` for stalls, clocks and traced sleeps.
    pub explained: Option<Explained>,
    /// Its cells as a reader names them, in the order of the figures.
    pub cells: Vec<PageCell>,
    /// Its traced cells.
    pub traces: Vec<PageTrace>,
    /// The survey, if it is one of clocks.
    pub clocks: Option<Clocks>,
    /// Clocks read together while it ran.
    pub drift: Vec<DriftLine>,
    /// Its samples; `None` if it has none, or none that fit.
    pub samples: Option<PackedSamples>,
}

/// What a reader calls a cell, and the distribution of all of its sleeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageCell {
    /// The name that tells it from the others: method, and what differs of request and conditions.
    pub label: String,
    /// What is asked of it.
    pub asked: String,
    /// Its conditions in words: as obtained, of those that were asked for.
    pub conditions: String,
    /// Where its clock stood at the beginning, as a decimal number: `start` and `end` of its samples count from here.
    pub origin_ns: String,
    /// Sleeps by lateness: the number of a bin and how many are in it, ascending. [`Bins`] says where bins lie.
    pub histogram: Vec<(i32, u64)>,
}

/// Where the bins of a [`PageCell::histogram`] lie: evenly on a logarithmic axis, as on a ruler with two halves.
///
/// Bin `k > 0` holds what is from `10^((k − 1) / PER_DECADE)` to below `10^(k / PER_DECADE)` ns, bin `−k` the same below zero, and bin
/// 0 what is nearer to zero than 1 ns.
#[derive(Debug, Clone, Copy)]
pub struct Bins;

impl Bins {
    /// Bins per decade.
    pub const PER_DECADE: i32 = 40;
    /// Decades on each side.
    pub const DECADES: i32 = 12;

    /// Returns where the positive bins begin, the first at 1 ns; several small ones may begin at the same nanosecond.
    pub fn edges() -> impl Iterator<Item = i64> {
        let per_decade = f64::from(Self::PER_DECADE);
        (0..=Self::DECADES * Self::PER_DECADE)
            .map(move |bin| Nanos::from_f64((10_f64.powf(f64::from(bin) / per_decade) - 1e-9).ceil()).get())
    }
}

/// One traced cell: its figures, and single sleeps.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageTrace {
    /// The cell's document.
    pub trace: Trace,
    /// What the columns of [`TracedSleep::times_ns`] are.
    pub parts: Vec<String>,
    /// Sleeps of the whole run, and the latest of all, in order.
    pub sleeps: Vec<TracedSleep>,
}

/// One traced sleep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TracedSleep {
    /// Its number.
    pub sequence: u64,
    /// How late it was.
    #[serde(rename = "oversleep_ns")]
    pub oversleep: Nanos,
    /// The time of each part, which together are that.
    pub times_ns: Vec<Nanos>,
    /// Who had the processor for most of the longest part, where known.
    pub owner: Option<String>,
    /// Why its parts are not all told apart; `None` if they are.
    pub incomplete: Option<String>,
}

/// How far a clock ran ahead of the monotonic one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DriftLine {
    /// The clock.
    pub clock: String,
    /// Time since the first reading, and how much further than the monotonic clock it went since, in ns.
    pub points: Vec<(Nanos, Nanos)>,
}

/// How samples are embedded: as columns of whole numbers, each split into planes of bytes (the lowest first), all of it
/// deflated and written in base64.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackedSamples {
    /// How many are embedded.
    pub count: u64,
    /// How many the recording has. If it has more, the latest and the earliest are embedded, and one of `one_of` others.
    pub of: u64,
    /// One in this many is embedded.
    pub one_of: u64,
    /// The columns.
    pub columns: Vec<PackedColumn>,
}

/// A column of embedded samples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackedColumn {
    /// Its name.
    pub name: String,
    /// Bytes per value; 0 for a column of zeros, which is not written.
    pub width: u8,
}
