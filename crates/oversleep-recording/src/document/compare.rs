//! Two sides of recordings, compared cell by cell.

use super::Bounds;
use crate::Quantity;
use crate::plan::{Conditions, Pattern};
use oversleep_sys::units::Nanos;
use serde::Serialize;

mod periods;

pub use periods::{ComparedPeriods, ComparedShare, PeriodsOfSide, ShareShift, ShareVerdict};

/// Differences between side A and side B.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compared {
    /// Version of this document.
    pub format: u32,
    /// Program that compared them, with version.
    pub tool: String,
    /// Recordings of side A.
    pub a: Vec<ComparedRun>,
    /// Recordings of side B.
    pub b: Vec<ComparedRun>,
    /// Whether the n-th recordings of both sides were made at the same time and are compared with each other.
    pub paired: bool,
    /// Facts of the machines that differ between the sides, or within a side.
    pub differences: Vec<FactDifference>,
    /// What side A and side B state of their machines. Not in the JSON.
    #[serde(skip)]
    pub stated: [StatedFacts; 2],
    /// Conditions that no row of side A states, and some row of side B does, and the reverse, where rows are paired without
    /// regard to them. Not in the JSON.
    #[serde(skip)]
    pub unstated: [Vec<&'static str>; 2],
    /// How long the measurement of both sides in turns took. Not in the JSON.
    #[serde(skip)]
    pub took: Option<Nanos>,
    /// Cells that both sides have.
    pub cells: Vec<ComparedCell>,
    /// Cells that only side A has.
    pub only_a: Vec<ComparedName>,
    /// Cells that only side B has.
    pub only_b: Vec<ComparedName>,
    /// Whether the recordings have traced sleeps too, which are not compared.
    #[serde(skip)]
    pub without_traced: bool,
    /// Side A compared with itself, where both sides were measured in turns: no difference is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Vec<ComparedCell>>,
}

/// What a side states of the machine on which it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatedFacts {
    /// Nothing: tables of other programs do not.
    Nothing,
    /// Facts of a machine.
    Machine,
    /// Facts of a simulated one.
    Simulated,
}

impl StatedFacts {
    /// Returns whether facts of both sides can be compared.
    pub fn comparable([a, b]: [Self; 2]) -> bool {
        a == b && a != Self::Nothing
    }
}

/// One of the compared recordings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedRun {
    /// Name of the recording: its file.
    pub name: String,
    /// When the recording began (RFC 3339, UTC), if known.
    pub started: Option<String>,
}

/// A fact of the machine that differs, named by its path in the `machine` object of a recording's document, or a
/// runtime's version: `/runtime/METHOD`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FactDifference {
    /// Path of the fact, such as `/release`.
    pub fact: String,
    /// Distinct values on side A.
    pub a: Vec<String>,
    /// Distinct values on side B.
    pub b: Vec<String>,
}

/// The description of a cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedName {
    /// Method name.
    pub method: String,
    /// Request.
    #[serde(flatten)]
    pub pattern: Pattern,
    /// Conditions asked for.
    pub conditions: Conditions,
    /// Quantity that another program counted in buckets; absent for sleeps with a sample each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<Quantity>,
}

/// A cell that both sides have, compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedCell {
    /// Description of the cell on side A.
    pub a: ComparedName,
    /// Description of the cell on side B.
    pub b: ComparedName,
    /// Why these two are compared with each other.
    pub paired_by: PairedBy,
    /// Number of sleeps of side A, all recordings together.
    pub n_a: u64,
    /// Number of sleeps of side B, all recordings together.
    pub n_b: u64,
    /// Probability that a sleep of B is later than one of A: 0.5 where nothing differs.
    pub b_later_share: Option<f64>,
    /// Shifts of the quantiles for which both sides have enough samples.
    pub shifts: Vec<QuantileShift>,
    /// Quantiles that at least one side has, but that could not be compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<UncomparedFigure>,
    /// Periods of the schedules, where both sides have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<ComparedPeriods>,
    /// Largest values of both sides, where both are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<ComparedMaximum>,
}

/// Why a cell of side A is compared with one of side B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PairedBy {
    /// They have the same method, request and conditions.
    Same,
    /// Each is a single thread, and both run on the same processor.
    Processor,
    /// Each is a single thread, and both have the same number.
    Thread,
    /// They have the same method, request and conditions but for those that the rows of one side do not state at all.
    Unstated,
    /// Each is its side's only one with this method, or with this request.
    Only,
}

/// A quantile without an interval, which is therefore not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UncomparedFigure {
    /// The quantile.
    pub figure: ComparedFigure,
    /// Value on side A; `None` if a recording of it has too few samples.
    pub a_ns: Option<Nanos>,
    /// Value on side B, likewise.
    pub b_ns: Option<Nanos>,
}

/// The largest values of two sides. They have no interval and are not tested: a maximum depends on a single sleep.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedMaximum {
    /// Bounds of the largest value of all recordings of side A; equal where the value is known exactly.
    pub a: Bounds,
    /// Bounds of the largest value of side B, likewise.
    pub b: Bounds,
}

impl ComparedMaximum {
    /// Returns the bounds of the difference B − A.
    pub fn difference(&self) -> (Option<Nanos>, Option<Nanos>) {
        let between = |b: Option<Nanos>, a: Option<Nanos>| Some(b?.saturating_sub(a?));
        (between(self.b.low, self.a.high), between(self.b.high, self.a.low))
    }
}

/// How far a quantile of B lies from A's, in ns; positive: B is later.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuantileShift {
    /// Quantile that is compared.
    pub figure: ComparedFigure,
    /// Value on side A: of its recording, or the median of its recordings; of counts in buckets, the middle of its bounds.
    pub a_ns: Nanos,
    /// Value on side B, likewise.
    pub b_ns: Nanos,
    /// Difference B − A, in ns; of counts in buckets, the middle of its bounds.
    pub size_ns: f64,
    /// Bounds of both values and of their difference, where a side has counts in buckets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<ShiftBounds>,
    /// Lower end of the interval.
    pub low_ns: f64,
    /// Upper end of the interval.
    pub high_ns: f64,
    /// Confidence of the interval: 0.95 or more, less where there are too few recordings for that; 0 where the interval is
    /// only that between the bounds of buckets.
    pub confidence: f64,
    /// Source of the interval.
    pub error: ErrorSource,
    /// Two-sided probability of such a difference by chance; `None` with one recording a side.
    pub p: Option<f64>,
    /// The same probability, corrected for the number of cells (Holm).
    pub p_corrected: Option<f64>,
    /// Standard deviation between the recordings of side A.
    pub between_a_ns: Option<f64>,
    /// Standard deviation between the recordings of side B.
    pub between_b_ns: Option<f64>,
    /// Conclusion about the shift.
    pub verdict: ShiftVerdict,
}

/// Bounds of a shift between counts in buckets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShiftBounds {
    /// Bounds of the value on side A.
    pub a: Bounds,
    /// Bounds of the value on side B.
    pub b: Bounds,
    /// Smallest difference B − A that the buckets allow, in ns.
    pub low_ns: f64,
    /// Largest difference that they allow, in ns.
    pub high_ns: f64,
}

/// The quantiles that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ComparedFigure {
    /// The median.
    #[serde(rename = "p50")]
    P50,
    /// 99th percentile.
    #[serde(rename = "p99")]
    P99,
    /// 99.9th percentile.
    #[serde(rename = "p99.9")]
    P999,
}

impl ComparedFigure {
    /// Every compared quantile.
    pub const ALL: [Self; 3] = [Self::P50, Self::P99, Self::P999];

    /// Returns the name of the quantile.
    pub const fn name(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P99 => "p99",
            Self::P999 => "p99.9",
        }
    }
}

/// What an interval is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorSource {
    /// From the sleeps of one recording a side. How much two recordings of the same cell differ is unknown.
    WithinRuns,
    /// Only from the bounds of buckets, one file a side. How much two runs differ is unknown.
    Buckets,
    /// From the differences between recordings of each side.
    BetweenRuns,
    /// From the differences of paired recordings.
    Pairs,
}

impl ErrorSource {
    /// Returns whether the interval is from one recording a side.
    pub const fn is_of_single_runs(self) -> bool {
        matches!(self, Self::WithinRuns | Self::Buckets)
    }
}

/// The conclusion about a shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ShiftVerdict {
    /// B is later by more than chance brings about in one comparison of twenty.
    Later,
    /// B is earlier by more than that.
    Earlier,
    /// No difference was seen; the interval says how large one may still be.
    NotSeen,
    /// Too few recordings to decide.
    Open,
}
