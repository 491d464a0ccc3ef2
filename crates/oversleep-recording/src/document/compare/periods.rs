//! The periods of two schedules, compared.

use super::ShiftVerdict;
use crate::document::{PeriodCounts, PeriodsForWork};
use crate::names;
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// The periods of two schedules, all recordings of a side together, and how far their shares differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedPeriods {
    /// Periods of side A.
    pub a: PeriodsOfSide,
    /// Periods of side B.
    pub b: PeriodsOfSide,
    /// Differences between the shares of late, skipped and missed periods that both sides know.
    pub shares: Vec<ShareShift>,
}

/// The periods of the schedules of one side, and the time that they left after their wake-ups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PeriodsOfSide {
    /// Their counts.
    #[serde(flatten)]
    pub counts: PeriodCounts,
    /// Time that 99 % of the periods left at least, the median of the recordings; `None` if one of them has too few periods.
    #[serde(rename = "left_p99_ns")]
    pub left_p99: Option<Nanos>,
    /// Time that every period of every recording left at least.
    #[serde(rename = "left_least_ns")]
    pub left_least: Option<Nanos>,
    /// Periods with and without time for their work, where it was given how long that takes (`--work`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<PeriodsForWork>,
}

names! {
    /// The periods of which the share is compared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum ComparedShare {
        /// Those whose wake-up came after the next was due.
        Late = "late",
        /// Those without a wake-up of their own.
        Skipped = "skipped",
        /// Those that left less time than their work takes.
        Missed = "missed",
    }
}

/// How far the share of some periods on side B lies from that on side A, in percentage points; positive: B has more.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShareShift {
    /// The periods.
    pub periods: ComparedShare,
    /// Share on side A, in percent: of its recording, or the median of its recordings.
    pub a_percent: f64,
    /// Share on side B, likewise.
    pub b_percent: f64,
    /// Difference B − A.
    pub size_points: f64,
    /// Lower end of the interval, from the differences between recordings; `None` with one recording a side.
    pub low_points: Option<f64>,
    /// Upper end of the interval, likewise.
    pub high_points: Option<f64>,
    /// Confidence of the interval: 0.95 or more, less where there are too few recordings for that, 0 without one.
    pub confidence: f64,
    /// Two-sided probability of such a difference by chance; `None` with one recording a side.
    pub p: Option<f64>,
    /// The same probability, corrected for the number of cells (Holm).
    pub p_corrected: Option<f64>,
    /// Standard deviation between the recordings of side A.
    pub between_a_points: Option<f64>,
    /// Standard deviation between the recordings of side B.
    pub between_b_points: Option<f64>,
    /// Conclusion about the difference.
    pub verdict: ShareVerdict,
}

impl ShareShift {
    /// Returns both ends of the interval; `None` with one recording a side.
    pub fn interval(&self) -> Option<[f64; 2]> {
        Some([self.low_points?, self.high_points?])
    }
}

/// The conclusion about a share of periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ShareVerdict {
    /// B has more by more than chance brings about in one comparison of twenty.
    More,
    /// B has fewer by more than that.
    Fewer,
    /// No difference was seen; the interval says how large one may still be.
    NotSeen,
    /// Too few recordings to decide.
    Open,
}

impl From<ShiftVerdict> for ShareVerdict {
    /// Returns the verdict on a share whose shift is judged as that of a quantile is.
    fn from(verdict: ShiftVerdict) -> Self {
        match verdict {
            ShiftVerdict::Later => Self::More,
            ShiftVerdict::Earlier => Self::Fewer,
            ShiftVerdict::NotSeen => Self::NotSeen,
            ShiftVerdict::Open => Self::Open,
        }
    }
}
