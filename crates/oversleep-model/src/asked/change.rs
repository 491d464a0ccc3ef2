//! What explains figures before and after a change: the cause that makes both probable.
//!
//! The cause of the later sleeps is with the others as probably as it is to be expected of them, by what is stated of them;
//! otherwise the law of the call is left. Waking costs both alike. Both figures together give the shares.

use super::candidate::{ByCost, COSTS, Candidate};
use super::unknown::centre;
use super::{Evidence, Weighed, answer_from, capital, evidence, refuse, said, sentence, shared, stated, unknown};
use crate::density;
use oversleep_recording::asked::{AskedError, AskedPair, Question};
use oversleep_recording::document::AskedAnswer;

/// How probable it is that a change of which nothing is stated removes a cause.
const REMOVED: f64 = 0.5;
/// By which share of a lateness two are the same.
const SAME: f64 = 0.1;
/// A change has made a cause less probable if it has at most this share of its former probability.
const LESS: f64 = 0.9;
/// How probable a cause is that sleeps had before a change that removes it.
const HAD: f64 = 0.5;
/// A cause is stated to last after the change only if that makes the figures more probable by this many nats.
const GOES_ON: f64 = 1.0;

/// Answers what explains the figures of a question together with those after a change; both have been checked
/// ([`Question::check`]).
///
/// # Errors
/// A call that the stated version lacks, or a sleep shorter than any law allows.
pub fn answer(before: &Question, after: &Question) -> Result<AskedAnswer, AskedError> {
    for question in [before, after] {
        refuse::check_call(question)?;
        refuse::check_shortest(&stated(question))?;
    }
    // A change may remove a cause or bring one: the later sleeps have it.
    let is_worse = lateness(after) > lateness(before);
    let (late, early) = if is_worse { (after, before) } else { (before, after) };
    let (first, second) = (evidence(late, true), evidence(early, false));
    let changes = changes(before, after);
    let none = first.none + unknown::ln(&early.pairs);
    let is_other = (lateness(late) - lateness(early)).abs() > SAME * lateness(late).abs();
    let mut outlived: Option<String> = None;
    let mut rest: Vec<(&'static str, String)> = Vec::new();
    let joint: Vec<Weighed> = first
        .all
        .into_iter()
        .filter_map(|mut weighed| {
            let id = weighed.candidate.id;
            let expected = prior(&first.priors, id);
            let (by_cost, figure) = second.without(id, expected, changes.is_empty(), early);
            let left = prior(&second.priors, id);
            if changes.is_empty() {
                // Nothing is known of what was changed.
            } else if is_other && left < LESS * expected {
                let does = if is_worse { "brings" } else { "speaks against" };
                weighed.candidate.reasons.push(format!("{} {does} it, and the figures changed", changes.join(", ")));
            } else if !is_other && left <= 0.0 && expected > HAD && before.platform() == after.platform() {
                outlived = Some(weighed.candidate.name);
                return None;
            } else if !is_other && let Some(later) = second.all.iter().find(|later| later.candidate.id == id) {
                // What was changed is in force, so what is advised is advised beside it.
                let Candidate { name, remedy, test, .. } = later.candidate.clone();
                weighed.candidate = Candidate { name, remedy, test, ..weighed.candidate };
            }
            weighed.by_cost = weighed.by_cost.map(&by_cost, |late, early| late + early);
            rest.push((id, figure));
            Some(weighed)
        })
        .collect();
    let weighing = shared(joint, none);
    let what = if changes.is_empty() { "after the change".to_owned() } else { format!("with {}", changes.join(", ")) };
    let figure = |weighed: &Weighed| {
        let late = sentence::figure(late, &weighed.best);
        let early = rest.iter().find(|(id, _)| *id == weighed.candidate.id).map_or("", |(_, figure)| figure.as_str());
        match (late == early, is_worse) {
            (true, _) => format!("{late}; {what}: by the same law"),
            (false, false) => format!("{late}; {what}: {early}"),
            (false, true) => format!("{what}: {late}; before: {early}"),
        }
    };
    let mut answer = answer_from(late, &weighing, &figure);
    if let Some(name) = outlived {
        answer.verdict = format!(
            "{} should remove {name}, and sleeps are as late as before: it did not take effect, or something else came in its place.",
            capital(before, &changes.join(", "))
        );
        answer.decided = false;
        answer.remedy.clear();
        "read the setting back in the thread that sleeps, and repeat both in turns".clone_into(&mut answer.experiment);
    }
    if answer.decided {
        // The change was the experiment.
        answer.experiment.clear();
    }
    answer.stated = said(before);
    answer.stated.push(if changes.is_empty() {
        "then a change that is not stated".to_owned()
    } else {
        format!("then {}", changes.join(", "))
    });
    Ok(answer)
}

/// Returns by how much of what was asked for the sleeps of a question are late, on average.
fn lateness(question: &Question) -> f64 {
    let late = |pair: &AskedPair| centre(pair) / pair.requested.as_f64().max(1.0) - 1.0;
    question.pairs.iter().map(late).sum::<f64>() / question.pairs.len() as f64
}

impl Evidence {
    /// Returns how probable, as logarithms, the figures of the earlier sleeps are if a cause explains those of the later ones,
    /// and what becomes of the request then. `expected`: how probable the cause of those was beforehand; `is_unknown`: whether
    /// it is not stated what was changed.
    fn without(&self, id: &str, expected: f64, is_unknown: bool, question: &Question) -> (ByCost, String) {
        let kept = prior(&self.priors, id);
        let stays = if is_unknown { 1.0 - REMOVED } else { (kept / expected.max(1e-12)).min(1.0) };
        let usual = self.priors.first().map_or("", |(id, _)| id);
        // The likeliest law of the call does not go away.
        let stays = if id == usual { 1.0 } else { stays };
        let part = |id: &str, share: f64| {
            let weighed = self.all.iter().find(|weighed| weighed.candidate.id == id);
            let by_cost = weighed.map(|weighed| weighed.by_cost.times(share.ln() - prior(&self.priors, id).ln()));
            let figure = weighed.map(|weighed| sentence::figure(question, &weighed.best)).unwrap_or_default();
            (by_cost.unwrap_or(ByCost([f64::NEG_INFINITY; COSTS.len()])), figure)
        };
        let ((goes_on, with), (is_gone, without)) = (part(id, stays), part(usual, 1.0 - stays));
        let figure = if goes_on.ln() > is_gone.ln() + GOES_ON { with } else { without };
        (goes_on.map(&is_gone, density::add), figure)
    }
}

fn prior(priors: &[(&'static str, f64)], id: &str) -> f64 {
    priors.iter().find(|(known, _)| *known == id).map_or(0.0, |(_, prior)| *prior)
}

/// Returns what is stated of the second question and not of the first.
fn changes(before: &Question, after: &Question) -> Vec<String> {
    let known = said(before);
    said(after).into_iter().filter(|text| !known.contains(text)).collect()
}
