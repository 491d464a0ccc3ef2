//! What changing one thing at a time did.

use super::{Cause, Finding, Predicted};
use crate::plan::intervene::Change;
use serde::Serialize;

/// What a recording's interventions say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interventions {
    /// The base cell.
    pub base: u32,
    /// Blocks in which it slept.
    pub blocks: usize,
    /// Its sleeps that count.
    pub sleeps: usize,
    /// Sleeps left out, all cells together: the first of each turn.
    pub warm_ups: u64,
    /// The base's median lateness.
    pub base_p50_ns: Option<i64>,
    /// The base's 99th percentile.
    pub base_p99_ns: Option<i64>,
    /// Shifts tried, which is what probabilities are corrected for.
    pub tries: usize,
    /// Every comparison, in the plan's order.
    pub effects: Vec<Effect>,
    /// What they say of causes.
    pub readings: Vec<Reading>,
}

impl Interventions {
    /// Returns the first comparison with such a change, from the base.
    pub fn of(&self, fits: impl Fn(&Change) -> bool) -> Option<&Effect> {
        self.effects.iter().find(|effect| effect.given.is_none() && fits(&effect.change))
    }

    /// Returns the first comparison with such a change, from another variant.
    pub fn beyond(&self, fits: impl Fn(&Change) -> bool) -> Option<&Effect> {
        self.effects.iter().find(|effect| effect.given.is_some() && fits(&effect.change))
    }
}

/// What one change did to the median and to the 99th percentile.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Effect {
    /// The variant's cell.
    pub cell: u32,
    /// The cell it is compared with.
    pub reference: u32,
    /// What differs.
    #[serde(flatten)]
    pub change: Change,
    /// What both have that the base has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<Change>,
    /// Blocks in which both slept.
    pub blocks: usize,
    /// Sleeps of each.
    pub sleeps: usize,
    /// The variant's median lateness.
    pub variant_p50_ns: i64,
    /// Its 99th percentile, where the sleeps carry one.
    pub variant_p99_ns: Option<i64>,
    /// The shift of the median.
    pub p50: Shift,
    /// The shift of the 99th percentile, where the sleeps carry one.
    pub p99: Option<Shift>,
    /// What the base's own samples let expect of the variant; `None` where they say nothing of this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Predicted>,
    /// The mean shift of the quantiles from 2.5 to 20 %. A pure delay moves all quantiles alike, and these are the least
    /// disturbed by what else there is, so they tell its size best.
    pub delay: Part,
}

/// How far a quantile moved, in ns: variant less reference, so that negative is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shift {
    /// How far.
    #[serde(rename = "size_ns")]
    pub size: f64,
    /// Lower end of the 95 % interval.
    #[serde(rename = "low_ns")]
    pub low: f64,
    /// Upper end of the 95 % interval.
    #[serde(rename = "high_ns")]
    pub high: f64,
    /// Its standard error.
    #[serde(rename = "error_ns")]
    pub error: f64,
    /// The probability of that much by chance.
    pub p: f64,
    /// The same, corrected for all tries (Holm).
    #[serde(rename = "p_corrected")]
    pub corrected: f64,
    /// Whether it survives the correction: only then is it called an effect.
    pub seen: bool,
    /// The least shift that would have been called an effect in four cases of five.
    #[serde(rename = "smallest_detectable_ns")]
    pub smallest_detectable: f64,
}

/// What a cause is worth in a cell, by intervention.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reading {
    /// The cell it is worth that in.
    pub cell: u32,
    /// The cause.
    pub cause: Cause,
    /// Its part of the median lateness.
    pub p50: Part,
    /// Its part of the 99th percentile, where the sleeps carry one.
    pub p99: Option<Part>,
    /// Whether it is called an effect.
    pub seen: bool,
    /// What was changed.
    pub by: String,
    /// The finding, if it is called an effect.
    #[serde(skip)]
    pub finding: Option<Finding>,
}

/// A size in ns with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// How large.
    #[serde(rename = "size_ns")]
    pub size: f64,
    /// Lower end.
    #[serde(rename = "low_ns")]
    pub low: f64,
    /// Upper end.
    #[serde(rename = "high_ns")]
    pub high: f64,
}

impl Part {
    /// Returns what a change took away.
    pub fn taken_by(shift: &Shift) -> Self {
        Self { size: shift.size, low: shift.low, high: shift.high }.negated()
    }

    /// Returns the other way round. Subtracted from nothing, not negated: no "−0".
    pub fn negated(self) -> Self {
        Self { size: 0.0 - self.size, low: 0.0 - self.high, high: 0.0 - self.low }
    }

    /// Returns the more exact measure of a pure delay, if the median agrees that it is one.
    pub fn or_delay(self, delay: Self) -> Self {
        let agrees = (self.low..=self.high).contains(&delay.size);
        if agrees && delay.width() < self.width() { delay } else { self }
    }

    /// Returns how much is not known of it.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Returns what is left of a known size when a change of that size was felt only so far.
    pub fn less(self, known: f64) -> Self {
        Self { size: known, low: known, high: known }.minus(self)
    }

    fn minus(self, other: Self) -> Self {
        Self { size: self.size - other.size, low: self.low - other.high, high: self.high - other.low }
    }
}
