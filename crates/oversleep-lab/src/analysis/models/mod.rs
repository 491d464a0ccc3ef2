//! A simulated kernel with the parameters that were found, laid over the sleeps they were found in.
//!
//! Each recorded sleep is given to the model with its own start and request (a conditional prediction: the model is
//! told where in the tick each sleep began and must say when it ends), and what it predicts is compared with what was
//! measured. How much of the lateness' variance the model explains says whether the findings are the whole story; it
//! changes none of them. The definitions stand at [`Fit`].

mod fit;
mod group;
mod model;
mod parameters;
mod settle;

pub use fit::Fit;
pub use model::{Model, Rule};

use super::Accumulator;
use super::patterns::Diagnosis;
use group::{Group, gather};
use oversleep_recording::Recording;
use serde::Serialize;

/// Models laid over a recording.
#[derive(Debug, Clone, Serialize)]
pub struct Overlay {
    /// One model for each method under one set of conditions.
    pub kernels: Vec<Laid>,
    /// All of them together; `None` where there are none.
    pub fit: Option<Fit>,
    /// Sleeps no model was laid over.
    pub left_out: Vec<LeftOut>,
    /// Lateness measured.
    #[serde(skip)]
    pub data: Accumulator,
    /// Lateness predicted.
    #[serde(skip)]
    pub model: Accumulator,
    /// The size of what is left: measured minus predicted.
    #[serde(skip)]
    pub rest: Accumulator,
}

/// One model over the sleeps of one method under one set of conditions.
#[derive(Debug, Clone, Serialize)]
pub struct Laid {
    /// The method.
    pub method: String,
    /// Its cells.
    pub cells: Vec<u32>,
    /// What the model is made of.
    #[serde(flatten)]
    pub model: Model,
    /// How well it predicts.
    pub fit: Fit,
    /// Where the diagnosis left the rate open: the rates it allows, of which the model has the one that fits best.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hz_open: Vec<f64>,
    /// The other rules a tick kernel may round by, and the share of the variance each would explain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
}

/// A rule that was not found, laid over the same sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Alternative {
    /// The rule.
    pub rule: Rule,
    /// Share of the variance it explains; below zero where it predicts worse than the mean would.
    pub variance_share: Option<f64>,
}

/// Sleeps without a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The method.
    pub method: String,
    /// Its sleeps.
    pub sleeps: usize,
    /// Why.
    pub why: &'static str,
}

/// At most this many sleeps of a group are predicted, spread evenly over it: enough for the shares' third digit.
const MOST: usize = 1 << 16;
/// And this many where several models compete.
const FEW: usize = 1_500;

/// Lays a model with the parameters of `diagnosis` over the sleeps of the recording it was made from.
pub fn overlay(recording: &Recording, diagnosis: &Diagnosis) -> Overlay {
    let mut over = Overlay {
        kernels: Vec::new(),
        fit: None,
        left_out: Vec::new(),
        data: Accumulator::default(),
        model: Accumulator::default(),
        rest: Accumulator::default(),
    };
    let mut all = Vec::new();
    for group in gather(&recording.untraced()) {
        over.leave_out(&group, group.timeless, "they asked for no time");
        if group.sleeps.is_empty() {
            continue;
        }
        match lay_found(&group, diagnosis) {
            Ok((laid, pairs)) => {
                for &(late, predicted) in &pairs {
                    over.data.add(late);
                    over.model.add(predicted);
                    over.rest.add(late.saturating_sub(predicted).saturating_abs());
                }
                all.extend(pairs);
                over.kernels.push(laid);
            }
            Err(why) => over.leave_out(&group, group.sleeps.len(), why),
        }
    }
    over.fit = Fit::of(&all);
    over
}

impl Overlay {
    fn leave_out(&mut self, group: &Group, sleeps: usize, why: &'static str) {
        if sleeps > 0 {
            self.left_out.push(LeftOut { method: group.method.clone(), sleeps, why });
        }
    }
}

/// Lateness measured and predicted, in ns.
type Pair = (i64, i64);

fn lay_found(group: &Group, diagnosis: &Diagnosis) -> Result<(Laid, Vec<Pair>), &'static str> {
    let mut found = parameters::found(group, diagnosis)?;
    let few = group.thinned(FEW);
    let candidates = std::mem::take(&mut found.candidates);
    let settled = candidates.iter().filter_map(|model| settle::settle(&few, model.clone()));
    let best = settled.min_by(|a, b| a.1.total_cmp(&b.1)).ok_or("the model cannot sleep as these sleeps did")?.0;
    let alternatives = if found.rule_told { settle::others(&few, &best) } else { competing(&few, &candidates, &best) };
    let pairs = predict(&group.thinned(MOST), &best).ok_or("the model cannot sleep as these sleeps did")?;
    let fit = Fit::of(&pairs).ok_or("too few sleeps")?;
    let (method, cells) = (group.method.clone(), group.cells.clone());
    Ok((Laid { method, cells, model: best, fit, hz_open: found.hz_open, alternatives }, pairs))
}

/// The rules the diagnosis left open, beside the one that fits best.
fn competing(few: &Group, candidates: &[Model], best: &Model) -> Vec<Alternative> {
    let mut others = settle::others(few, best);
    others.retain(|other| candidates.iter().any(|model| model.rule == Some(other.rule)));
    others
}

/// Lateness of these sleeps, measured and as the model predicts it; `None` if it would let one of them sleep for ever.
pub(crate) fn predict(group: &Group, model: &Model) -> Option<Vec<Pair>> {
    let mut kernel = model.foresight()?;
    group.sleeps.iter().map(|sleep| Some((sleep.late, model.lateness(&mut kernel, sleep)?))).collect()
}

#[cfg(test)]
mod tests;
