//! Two sides of recordings, compared cell by cell.

use crate::plan::{Conditions, Pattern};
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// What differs between side A and side B.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Compared {
    /// The version of this document.
    pub format: u32,
    /// What compared them, with version.
    pub tool: String,
    /// The recordings of side A.
    pub a: Vec<ComparedRun>,
    /// The recordings of side B.
    pub b: Vec<ComparedRun>,
    /// Whether the n-th recordings of both sides were made side by side and are compared with each other.
    pub paired: bool,
    /// Facts of the machines that differ between the sides, or within one.
    pub differences: Vec<FactDifference>,
    /// The cells that both sides have.
    pub cells: Vec<ComparedCell>,
    /// Cells that only side A has.
    pub only_a: Vec<ComparedName>,
    /// Cells that only side B has.
    pub only_b: Vec<ComparedName>,
    /// Side A against itself, where both were measured in turns: there must be no difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Vec<ComparedCell>>,
}

/// One recording.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedRun {
    /// What it is called: its file.
    pub name: String,
    /// When it began (RFC 3339, UTC), if known.
    pub started: Option<String>,
}

/// A fact of the machine, by its place in the `machine` object of a recording's document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FactDifference {
    /// Its place, such as `/release`.
    pub fact: String,
    /// The values on side A, each once.
    pub a: Vec<String>,
    /// The values on side B, each once.
    pub b: Vec<String>,
}

/// What a cell is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedName {
    /// The method.
    pub method: String,
    /// What was asked for.
    #[serde(flatten)]
    pub pattern: Pattern,
    /// The conditions asked for.
    pub conditions: Conditions,
}

/// A cell of both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedCell {
    /// What it is on side A.
    pub a: ComparedName,
    /// What it is on side B.
    pub b: ComparedName,
    /// Sleeps of side A, all recordings together.
    pub n_a: u64,
    /// Sleeps of side B, all recordings together.
    pub n_b: u64,
    /// The chance that a sleep of B is later than one of A: one half where nothing differs.
    pub b_later_share: Option<f64>,
    /// The quantiles that both sides carry.
    pub shifts: Vec<QuantileShift>,
}

/// How far a quantile of B lies from A's, in ns: positive is later.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuantileShift {
    /// Which quantile.
    pub figure: ComparedFigure,
    /// On side A: of the recording, or the median of its recordings.
    pub a_ns: Nanos,
    /// On side B.
    pub b_ns: Nanos,
    /// How far apart.
    pub size_ns: f64,
    /// Lower end of the interval.
    pub low_ns: f64,
    /// Upper end of the interval.
    pub high_ns: f64,
    /// The interval's confidence: 0.95 or more, less where there are too few recordings for that.
    pub confidence: f64,
    /// What the interval is made of.
    pub error: ErrorSource,
    /// The probability of a difference as clear by chance, two-sided; with one recording a side there is none.
    pub p: Option<f64>,
    /// The same, corrected for the number of cells (Holm).
    pub p_corrected: Option<f64>,
    /// Standard deviation between the recordings of side A.
    pub between_a_ns: Option<f64>,
    /// Standard deviation between the recordings of side B.
    pub between_b_ns: Option<f64>,
    /// What can be said.
    pub verdict: ShiftVerdict,
}

/// The quantiles that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ComparedFigure {
    /// The median.
    #[serde(rename = "p50")]
    P50,
    /// 99 of 100.
    #[serde(rename = "p99")]
    P99,
    /// 999 of 1000.
    #[serde(rename = "p99.9")]
    P999,
}

impl ComparedFigure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::P50, Self::P99, Self::P999];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P99 => "p99",
            Self::P999 => "p99.9",
        }
    }
}

/// What an interval is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorSource {
    /// The sleeps of one recording a side. How much two recordings of the same differ is unknown.
    WithinRuns,
    /// The recordings of each side.
    BetweenRuns,
    /// The differences of recordings made side by side.
    Pairs,
}

/// What can be said of a shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ShiftVerdict {
    /// B is later, beyond what chance brings about in one comparison of twenty.
    Later,
    /// B is earlier.
    Earlier,
    /// No difference was seen; the interval says how large one may be.
    NotSeen,
    /// There are too few recordings to tell.
    Open,
}
