//! The effects of changing one condition at a time.

use super::{Cause, Finding, Predicted, Undecided};
use crate::plan::build::rounds_for;
use crate::plan::intervene::Change;
use oversleep_sys::units::Nanos;
use serde::Serialize;

/// The results of a recording's interventions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interventions {
    /// Number of the base cell.
    pub base: u32,
    /// Number of blocks in which the base slept.
    pub blocks: usize,
    /// Number of the base's sleeps that are used.
    pub sleeps: usize,
    /// Number of sleeps left out, all cells together: the first of each turn.
    pub warm_ups: u64,
    /// Median lateness of the base, in ns.
    pub base_p50_ns: Option<i64>,
    /// 99th percentile of the base's lateness, in ns.
    pub base_p99_ns: Option<i64>,
    /// Number of shifts tested, for which the probabilities are corrected.
    pub tries: usize,
    /// Every comparison, in the plan's order.
    pub effects: Vec<Effect>,
    /// What the comparisons say about causes.
    pub readings: Vec<CauseSize>,
    /// Effects whose cause stays open.
    #[serde(skip)]
    pub open: Vec<Undecided>,
    /// Time that one sleep of every cell took, all cells together; zero if it is not known.
    #[serde(skip)]
    pub round: Nanos,
}

impl Interventions {
    /// Returns the first comparison of the base with a variant whose change fits.
    pub fn first_effect(&self, fits: impl Fn(&Change) -> bool) -> Option<&Effect> {
        self.effects.iter().find(|effect| effect.given.is_none() && fits(&effect.change))
    }

    /// Returns the first comparison between two variants whose change fits.
    pub fn beyond(&self, fits: impl Fn(&Change) -> bool) -> Option<&Effect> {
        self.effects.iter().find(|effect| effect.given.is_some() && fits(&effect.change))
    }

    /// Returns the duration of a run with this many usable sleeps of each cell, in whole seconds; `None` if the time of a
    /// round is not known.
    pub fn time_for(&self, sleeps: f64) -> Option<Nanos> {
        let taken = self.round.as_f64() * rounds_for(sleeps) * MARGIN;
        (taken > 0.0).then(|| Nanos::from_f64((taken / 1e9).ceil() * 1e9))
    }

    /// Returns whether no shift was seen though one of the expected size would have been missed too.
    pub fn is_undecided(&self, effect: &Effect) -> bool {
        !effect.is_seen() && self.expected(effect).is_some_and(|expected| effect.p50.smallest_detectable >= expected)
    }

    /// Returns the duration of a run that would show an undecided effect of the expected size four times in five. An
    /// uncertainty falls with the square root of the number of sleeps.
    pub fn deciding_time(&self, effect: &Effect) -> Option<Nanos> {
        let ratio = effect.p50.smallest_detectable / self.expected(effect)?;
        self.time_for(effect.sleeps as f64 * ratio * ratio)
    }

    /// Returns the expected size of an effect on the median: the predicted one, otherwise all of the baseline's lateness,
    /// as no change removes more.
    fn expected(&self, effect: &Effect) -> Option<f64> {
        let predicted = effect.predicted.and_then(|predicted| predicted.p50);
        let predicted = predicted.map(|p50| p50.before_ns - p50.after_ns);
        predicted.filter(|ns| *ns > 0).or(self.base_p50_ns.filter(|ns| *ns > 0)).map(|ns| ns as f64)
    }
}

/// Factor of durations that allows for the time between sleeps.
const MARGIN: f64 = 1.15;

/// The effect of one change on the median and the 99th percentile.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Effect {
    /// Number of the variant's cell.
    pub cell: u32,
    /// Number of the cell it is compared with.
    pub reference: u32,
    /// Condition that differs.
    #[serde(flatten)]
    pub change: Change,
    /// Condition that both cells have and the base has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<Change>,
    /// Number of blocks in which both slept.
    pub blocks: usize,
    /// Number of sleeps of each cell.
    pub sleeps: usize,
    /// Median lateness of the variant, in ns.
    pub variant_p50_ns: i64,
    /// 99th percentile of the variant's lateness in ns, where there are enough sleeps.
    pub variant_p99_ns: Option<i64>,
    /// Shift of the median.
    pub p50: Shift,
    /// Shift of the 99th percentile, where there are enough sleeps.
    pub p99: Option<Shift>,
    /// Prediction for the variant from the base's own samples; `None` where they say nothing about this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Predicted>,
    /// Mean shift of the quantiles from 2.5 to 20 %. A pure delay moves all quantiles alike, and these are the least
    /// disturbed by other causes, so they give its size best.
    pub delay: SizeInterval,
}

impl Effect {
    /// Returns the change in words, with the cell it is compared with if that is not the baseline.
    pub fn in_words(&self) -> String {
        match &self.given {
            None => self.change.to_string(),
            Some(given) => format!("{} ({given} both)", self.change),
        }
    }

    /// Returns whether a shift of the median or of the 99th percentile was seen.
    pub fn is_seen(&self) -> bool {
        self.shifts().any(|shift| shift.seen)
    }

    /// Returns whether the median or the 99th percentile became smaller beyond chance.
    pub fn helped(&self) -> bool {
        self.shifts().any(|shift| shift.seen && shift.size < 0.0)
    }

    fn shifts(&self) -> impl Iterator<Item = Shift> {
        [Some(self.p50), self.p99].into_iter().flatten()
    }
}

/// The shift of a quantile, in ns: variant minus reference, so that negative is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shift {
    /// Estimate of the shift.
    #[serde(rename = "size_ns")]
    pub size: f64,
    /// Lower end of the 95 % interval.
    #[serde(rename = "low_ns")]
    pub low: f64,
    /// Upper end of the 95 % interval.
    #[serde(rename = "high_ns")]
    pub high: f64,
    /// Standard error of the shift.
    #[serde(rename = "error_ns")]
    pub error: f64,
    /// Probability of such a shift by chance.
    pub p: f64,
    /// The same probability, corrected for all comparisons (Holm).
    #[serde(rename = "p_corrected")]
    pub corrected: f64,
    /// Whether the shift is significant after the correction and its interval excludes zero: only then is it called an
    /// effect.
    pub seen: bool,
    /// Smallest shift that would have been called an effect with a probability of four in five.
    #[serde(rename = "smallest_detectable_ns")]
    pub smallest_detectable: f64,
}

/// The size of a cause in a cell, by intervention.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CauseSize {
    /// Number of the cell.
    pub cell: u32,
    /// The cause.
    pub cause: Cause,
    /// Part of the median lateness due to the cause.
    pub p50: SizeInterval,
    /// Part of the 99th percentile due to the cause, where there are enough sleeps.
    pub p99: Option<SizeInterval>,
    /// Whether the effect is significant.
    pub seen: bool,
    /// Condition that was changed.
    pub by: String,
    /// The finding, if the effect is significant.
    #[serde(skip)]
    pub finding: Option<Finding>,
}

/// A size in ns with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SizeInterval {
    /// Estimate.
    #[serde(rename = "size_ns")]
    pub size: f64,
    /// Lower end of the interval.
    #[serde(rename = "low_ns")]
    pub low: f64,
    /// Upper end of the interval.
    #[serde(rename = "high_ns")]
    pub high: f64,
}

impl SizeInterval {
    /// Returns the lateness that a change removed.
    pub fn taken_by(shift: &Shift) -> Self {
        Self { size: shift.size, low: shift.low, high: shift.high }.negated()
    }

    /// Returns the part with the opposite sign. Subtracted from zero rather than negated, to avoid "−0".
    pub fn negated(self) -> Self {
        Self { size: 0.0 - self.size, low: 0.0 - self.high, high: 0.0 - self.low }
    }

    /// Returns `delay` if its size lies within this interval and its own interval is narrower; otherwise `self`.
    pub fn or_delay(self, delay: Self) -> Self {
        let agrees = (self.low..=self.high).contains(&delay.size);
        if agrees && delay.width() < self.width() { delay } else { self }
    }

    /// Returns the part of the interval that is not negative, as sizes of causes are; `None` if all of it is negative.
    pub fn not_negative(self) -> Option<Self> {
        let [size, low, high] = [self.size, self.low, self.high].map(|ns| ns.max(0.0));
        (self.high >= 0.0).then_some(Self { size, low, high })
    }

    /// Returns the width of the interval.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Returns what remains of a known size after a change of that size had only this effect.
    pub fn less(self, known: f64) -> Self {
        Self { size: known, low: known, high: known }.minus(self)
    }

    fn minus(self, other: Self) -> Self {
        Self { size: self.size - other.size, low: self.low - other.high, high: self.high - other.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_below_zero_says_nothing_of_a_size() {
        let interval = |size, low, high| SizeInterval { size, low, high };
        assert_eq!(interval(-603e3, -1.81e6, -29.3e3).not_negative(), None);
        assert_eq!(interval(-251.0, -2_300.0, 1_800.0).not_negative(), Some(interval(0.0, 0.0, 1_800.0)));
        assert_eq!(interval(5.0, 4.0, 6.0).not_negative(), Some(interval(5.0, 4.0, 6.0)));
    }
}
