//! Lays a simulated kernel with the parameters that were found over the sleeps in which they were found.
//!
//! The model predicts the end of each recorded sleep from its own start and request (a conditional prediction: it is
//! given where in the tick each sleep began), and the prediction is compared with the measured lateness. The share of
//! the variance that the model explains shows whether the findings are complete; it changes none of them. The
//! definitions are those of [`Fit`](oversleep_recording::document::Fit).

mod fit;
mod group;
mod model;
mod parameters;
mod picture;
mod settle;

use super::patterns::Diagnosis;
use group::{ModelledGroup, gather};
use oversleep_figures::Overlay;
use oversleep_recording::Recording;
use oversleep_recording::document::{Alternative, FittedModel, LeftOut, Model};

/// Most sleeps of a group that are predicted, spread evenly over it: enough for the shares' third digit.
const MOST: usize = 1 << 16;
/// Most sleeps where several models compete.
const FEW: usize = 1_500;

/// Lays models with the parameters of `diagnosis` over the sleeps of the recording that it was made from.
pub fn overlay(recording: &Recording, diagnosis: &Diagnosis) -> Overlay {
    let mut over = Overlay::default();
    let mut all = Vec::new();
    let groups = gather(&recording.untraced());
    let most = picture::points_of_each(groups.len());
    for group in groups {
        leave_out(&mut over, &group, group.timeless, "they asked for no time, or for one that is not known");
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
                over.predicted.extend(picture::points(&group.downsampled(MOST), &pairs, most));
                all.extend(pairs);
                over.document.kernels.push(laid);
            }
            Err(why) => leave_out(&mut over, &group, group.sleeps.len(), why),
        }
    }
    over.document.fit = fit::measure(&all);
    over
}

fn leave_out(over: &mut Overlay, group: &ModelledGroup, sleeps: usize, why: &'static str) {
    if sleeps > 0 {
        over.document.left_out.push(LeftOut { method: group.method.clone(), sleeps, why });
    }
}

/// The measured and the predicted lateness of a sleep, in ns.
type MeasuredAndPredicted = (i64, i64);

fn lay_found(
    group: &ModelledGroup,
    diagnosis: &Diagnosis,
) -> Result<(FittedModel, Vec<MeasuredAndPredicted>), &'static str> {
    let mut found = parameters::found(group, diagnosis)?;
    let few = group.downsampled(FEW);
    let candidates = std::mem::take(&mut found.candidates);
    let settled = candidates.iter().filter_map(|model| settle::settle(&few, model.clone()));
    let best = settled.min_by(|a, b| a.1.total_cmp(&b.1)).ok_or("the model cannot sleep as these sleeps did")?.0;
    let alternatives = if found.rule_told { settle::others(&few, &best) } else { competing(&few, &candidates, &best) };
    let pairs = predict(&group.downsampled(MOST), &best).ok_or("the model cannot sleep as these sleeps did")?;
    let fit = fit::measure(&pairs).ok_or("too few sleeps")?;
    let (method, cells) = (group.method.clone(), group.cells.clone());
    Ok((FittedModel { method, cells, model: best, fit, hz_open: found.hz_open, alternatives }, pairs))
}

/// Returns the rules that the diagnosis left open, except the one that fits best.
fn competing(few: &ModelledGroup, candidates: &[Model], best: &Model) -> Vec<Alternative> {
    let mut others = settle::others(few, best);
    others.retain(|other| candidates.iter().any(|model| model.rule == Some(other.rule)));
    others
}

/// Returns measured and predicted lateness of these sleeps; `None` if in the model one of them never ends.
pub(crate) fn predict(group: &ModelledGroup, model: &Model) -> Option<Vec<MeasuredAndPredicted>> {
    let mut kernel = model::predictor(model)?;
    group.sleeps.iter().map(|sleep| Some((sleep.late, model::lateness(model, &mut kernel, sleep)?))).collect()
}

#[cfg(test)]
mod tests;
