//! What changing one thing did.

use super::cause::{Part, Reading};
use super::holm;
use oversleep_recording::plan::intervene::Change;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// How far a quantile moved, in ns: variant less reference, so that negative is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
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
    #[serde(rename = "could_see_ns")]
    pub could_see: f64,
}

/// What one change did to the median and to the 99th percentile.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// The mean shift of the quantiles from 2.5 to 20 %. A pure delay moves all quantiles alike, and these are the least
    /// disturbed by what else there is, so they tell its size best.
    pub delay: Part,
}

/// What a recording's interventions say.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// The first comparison with such a change, from the base.
    pub fn of(&self, fits: impl Fn(&Change) -> bool) -> Option<&Effect> {
        self.effects.iter().find(|effect| effect.given.is_none() && fits(&effect.change))
    }

    /// The first comparison with such a change, from another variant.
    pub fn beyond(&self, fits: impl Fn(&Change) -> bool) -> Option<&Effect> {
        self.effects.iter().find(|effect| effect.given.is_some() && fits(&effect.change))
    }
}

/// What may be called an effect: one false call in twenty runs.
pub(super) const LEVEL: f64 = 0.05;
/// How often an effect of the size that could be seen would be seen.
const POWER: f64 = 0.8;

/// Corrects all probabilities together; returns how many there were.
pub(super) fn correct(effects: &mut [Effect]) -> usize {
    let mut shifts: Vec<&mut Shift> =
        effects.iter_mut().flat_map(|effect| [Some(&mut effect.p50), effect.p99.as_mut()]).flatten().collect();
    let corrected = holm::corrected(&shifts.iter().map(|shift| shift.p).collect::<Vec<_>>());
    let tries = shifts.len();
    // The least detectable effect: as many standard errors as the strictest step of the correction and the power take
    // together (Bloom, "Minimum Detectable Effects", Evaluation Review 19, 1995).
    let normal = Normal::standard();
    let errors = normal.inverse_cdf(1.0 - LEVEL / (2.0 * tries.max(1) as f64)) + normal.inverse_cdf(POWER);
    for (shift, corrected) in shifts.iter_mut().zip(corrected) {
        shift.corrected = corrected;
        shift.seen = corrected <= LEVEL;
        shift.could_see = errors * shift.error;
    }
    tries
}
