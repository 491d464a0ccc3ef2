//! How late sleeps can be at a risk.

use super::{CellFigures, Measured};
use crate::plan::Pattern;
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// How late sleeps of a duration can be at a risk, under each condition of a recording.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LatenessBounds {
    /// The duration.
    #[serde(rename = "asked_ns")]
    pub asked: Nanos,
    /// Probability with which a sleep may be later than its bound, above 0 and below 1.
    pub risk: f64,
    /// The recording.
    #[serde(flatten)]
    pub measured: Measured<BoundedCell>,
}

/// A cell of a recording whose sleeps stand for the duration asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundedCell {
    /// Figures of the cell.
    #[serde(flatten)]
    pub figures: CellFigures,
    /// What it asked for.
    #[serde(rename = "requests")]
    pub pattern: Pattern,
    /// How its lateness stands for that of the duration asked for.
    pub law: LengthLaw,
    /// The bound.
    pub bound: TailBound,
}

/// How lateness depends on the duration of a sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LengthLaw {
    /// The duration itself was measured.
    Same,
    /// Another duration was measured, with timers whose lateness does not depend on it.
    Independent,
    /// Another duration was measured, and whether lateness depends on it is not known, or it does.
    Unknown,
}

/// How late sleeps of one kind can be at a risk, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TailBound {
    /// Probability with which a sleep may be later than [`late`](Self::late), above 0 and below 1.
    pub risk: f64,
    /// Number of sleeps.
    pub n: u64,
    /// Time from the first to the last.
    #[serde(rename = "span_ns")]
    pub span: Nanos,
    /// Lateness that the next sleep exceeds with probability `risk`; `None` where neither the sleeps carry it nor a tail fits them.
    #[serde(rename = "late_ns")]
    pub late: Option<Nanos>,
    /// Lateness above which the quantile of that risk is with `certainty`.
    #[serde(rename = "at_least_ns")]
    pub low: Option<Nanos>,
    /// Lateness below which it is with `certainty`.
    #[serde(rename = "at_most_ns")]
    pub at_most: Option<Nanos>,
    /// Certainty of each of these two, 0 to 1.
    pub certainty: f64,
    /// What the bound rests on.
    pub basis: Option<TailBasis>,
    /// Events per late sleep, 0 to 1: below 1 where late sleeps come together (the extremal index).
    pub events_per_late_sleep: f64,
    /// The lowest risk whose bound the sleeps carry without a model; `None` if there are too few for any.
    pub carried: Option<TailCarried>,
    /// The latest sleep.
    #[serde(rename = "max_ns")]
    pub max: Nanos,
    /// Parts of the recording, if lateness changed with time; else none.
    pub parts: Vec<TailPart>,
    /// Bound of all sleeps together, where that is not `late`: if the machine goes on to change as it did.
    #[serde(rename = "of_all_ns")]
    pub of_all: Option<Nanos>,
    /// Index in `parts` of the part that the bound is from; `None` if it is from all sleeps.
    pub bounded_part: Option<u64>,
    /// Place in `parts` of the one that was latest; it may be too short for a bound of its own. `None` without parts.
    pub latest_part: Option<u64>,
    /// How long to measure until the sleeps carry this risk without a model.
    #[serde(rename = "carried_after_ns")]
    pub carried_after: Nanos,
}

impl TailBound {
    /// Returns how many events made sleeps as late as the bound, or would have on average: with few, its risk is hardly known,
    /// however many sleeps they made late.
    pub fn events_beyond(&self) -> f64 {
        let part = self.bounded_part.and_then(|index| self.parts.get(usize::try_from(index).ok()?));
        part.map_or(self.n, |part| part.n) as f64 * self.risk * self.events_per_late_sleep
    }

    /// Returns the factor within which the share of later sleeps is known to be that of the risk, 90 times in 100. The number of
    /// independent events has a Poisson distribution, whose logarithm varies by about 1 / √events.
    pub fn risk_factor(&self) -> f64 {
        (Z / self.events_beyond().max(f64::MIN_POSITIVE).sqrt()).exp()
    }
}

/// Standard deviations to either side between which 90 % of a normal distribution lie.
const Z: f64 = 1.645;

/// What a bound rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum TailBasis {
    /// Enough sleeps were later: the bound is one of them.
    Samples {
        /// Number of sleeps that were later, the bound's own included.
        beyond: u64,
        /// Number of events that made them late.
        events: f64,
    },
    /// A generalised Pareto distribution of the sleeps beyond a threshold.
    Model {
        /// The threshold.
        #[serde(rename = "threshold_ns")]
        threshold: Nanos,
        /// Number of sleeps beyond it.
        exceedances: u64,
        /// Number of events that made them late.
        events: f64,
        /// Shape: 0 falls off exponentially, above it as a power, below it the tail ends.
        shape: f64,
        /// Scale.
        scale_ns: f64,
        /// How often sleeps like these would fit it worse if it were true, 0 to 1.
        fit_probability: f64,
        /// Risk of the latest sleep, 0 to 1: below it the bound is extrapolated.
        samples_reach: f64,
    },
}

/// A bound that sleeps carry without a model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TailCarried {
    /// The risk, 0 to 1.
    pub risk: f64,
    /// Lateness that the next sleep exceeds with this probability.
    #[serde(rename = "late_ns")]
    pub late: Nanos,
    /// Lateness below which the quantile lies with the bound's certainty.
    #[serde(rename = "at_most_ns")]
    pub at_most: Nanos,
}

/// A part of a recording between two changes of lateness.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TailPart {
    /// Start, from the first sleep.
    #[serde(rename = "from_ns")]
    pub from: Nanos,
    /// End, from the first sleep.
    #[serde(rename = "to_ns")]
    pub to: Nanos,
    /// Number of sleeps.
    pub n: u64,
    /// Median lateness.
    #[serde(rename = "p50_ns")]
    pub p50: Nanos,
    /// Bound from only these sleeps; `None` where there is none.
    #[serde(rename = "late_ns")]
    pub late: Option<Nanos>,
}
