//! A simulated kernel with the parameters that were found, laid over the sleeps they were found in.
//!
//! Each recorded sleep is given to the model with its own start and request (a conditional prediction: the model is
//! told where in the tick each sleep began and must say when it ends), and what it predicts is compared with what was
//! measured. How much of the lateness' variance the model explains says whether the findings are the whole story; it
//! changes none of them. The definitions stand at [`Fit`](oversleep_recording::document::Fit).

mod fit;
mod group;
mod model;
mod parameters;
mod settle;

use super::patterns::Diagnosis;
use crate::figures::Overlay;
use group::{Group, gather};
use oversleep_recording::Recording;
use oversleep_recording::document::{Alternative, Laid, LeftOut, Model};

/// At most this many sleeps of a group are predicted, spread evenly over it: enough for the shares' third digit.
const MOST: usize = 1 << 16;
/// And this many where several models compete.
const FEW: usize = 1_500;

/// Lays a model with the parameters of `diagnosis` over the sleeps of the recording it was made from.
pub fn overlay(recording: &Recording, diagnosis: &Diagnosis) -> Overlay {
    let mut over = Overlay::default();
    let mut all = Vec::new();
    for group in gather(&recording.untraced()) {
        leave_out(&mut over, &group, group.timeless, "they asked for no time");
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
                over.document.kernels.push(laid);
            }
            Err(why) => leave_out(&mut over, &group, group.sleeps.len(), why),
        }
    }
    over.document.fit = fit::of(&all);
    over
}

fn leave_out(over: &mut Overlay, group: &Group, sleeps: usize, why: &'static str) {
    if sleeps > 0 {
        over.document.left_out.push(LeftOut { method: group.method.clone(), sleeps, why });
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
    let fit = fit::of(&pairs).ok_or("too few sleeps")?;
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
    let mut kernel = model::foresight(model)?;
    group.sleeps.iter().map(|sleep| Some((sleep.late, model::lateness(model, &mut kernel, sleep)?))).collect()
}

#[cfg(test)]
mod tests;
