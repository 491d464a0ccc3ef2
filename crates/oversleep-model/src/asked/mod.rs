//! What explains figures that somebody states: `1 ms took 15.6 ms on Windows`.
//!
//! Each candidate is a law of the stated system and call, or an event beside it, with its parameters left open. The
//! probability of the figures is computed under each, with the unknown phase and cost of waking summed over; with what is
//! known beforehand that gives the shares. None of the known laws is always among them.

mod advice;
mod candidate;
mod change;
mod distribution;
mod events;
mod likelihood;
mod refuse;
mod runtimes;
mod sentence;
mod systems;
mod unknown;

pub use change::answer as answer_change;

use crate::density;
use candidate::{Best, ByCost, Candidate, Cost};
use oversleep_recording::asked::{AskedError, AskedPair, Figure, Platform, Question, Reading, StatedCondition};
use oversleep_recording::catalog::KernelWait;
use oversleep_recording::document::{AskedAnswer, AskedCandidate, percent_of_candidates};
use systems::Stated;

/// How probable none of the known laws is beforehand.
const NONE: f64 = 0.06;
/// The same where a call is named that the catalogue does not know: it knows the usual calls of every system that has laws here.
const NONE_OF_UNKNOWN_CALL: f64 = 0.5;
/// The same on a small system whose ticks are known.
const NONE_OF_UNKNOWN_TASK_CALL: f64 = 0.2;
/// How much a law of its waits counts that would make the periods of a schedule longer.
const LAW_OF_SCHEDULE: f64 = 0.005;
/// From this share on a cause is stated.
const DECIDED: f64 = 0.85;
/// How many times the usual cost of waking a law may leave and still be stated.
const MOST_COST: f64 = 10.0;
/// From this share on it is stated as the likeliest.
const LIKELY: f64 = 0.75;
/// From this share on a candidate is named although none is likelier.
const NEAR: f64 = 0.1;
/// Causes that explain any lateness: they are stated only if something that is known speaks for them.
const OF_ANY_SIZE: [&str; 5] = ["run-queue", "host-steal", "interference", "clock-step", "runtime-busy"];
/// Candidates with a smaller share are not listed.
const LISTED: f64 = 0.02;
/// Most candidates that are listed.
const MOST_LISTED: usize = 5;

/// What shows most laws.
const SEVERAL_LENGTHS: &str = "print several lengths of sleep: 1, 3, 10, 33 and 100 ms";

/// A candidate with its share.
struct Weighed {
    candidate: Candidate,
    best: Best,
    /// Logarithms of its probability beforehand times that of the figures.
    by_cost: ByCost,
    share: f64,
}

/// Candidates, the most probable first, and the share of none of them.
struct Weighing {
    all: Vec<Weighed>,
    none: f64,
}

/// Candidates that the figures do not exclude, each cause once, with the logarithms of their probabilities beforehand times that
/// of the figures; the same of none of them.
struct Evidence {
    all: Vec<Weighed>,
    none: f64,
    /// How probable each cause is beforehand; the first is the likeliest law of the call.
    priors: Vec<(&'static str, f64)>,
}

/// Answers a question, which has been checked ([`Question::check`]).
///
/// # Errors
/// A call that the stated version lacks, a sleep shorter than any law allows, or figures in a wrong unit.
pub fn answer(question: &Question) -> Result<AskedAnswer, AskedError> {
    refuse::check_call(question)?;
    if let Some(verdict) = in_time(question) {
        return Ok(AskedAnswer { verdict, stated: said(question), ..AskedAnswer::default() });
    }
    refuse::check_shortest(&stated(question))?;
    let weighing = weigh(question);
    let answer = answer_from(question, &weighing, &|weighed| sentence::figure(question, &weighed.best));
    if !answer.decided {
        refuse::check_units(question)?;
    }
    Ok(answer)
}

/// Returns the answer that follows from these shares. `figure`: what a candidate makes of the request.
fn answer_from(question: &Question, weighing: &Weighing, figure: &dyn Fn(&Weighed) -> String) -> AskedAnswer {
    let none = weighing.none;
    let listed: Vec<&Weighed> =
        weighing.all.iter().filter(|weighed| weighed.share >= LISTED).take(MOST_LISTED).collect();
    let candidates: Vec<AskedCandidate> = listed
        .iter()
        .map(|weighed| AskedCandidate {
            cause: weighed.candidate.id,
            name: weighed.candidate.name.clone(),
            share: weighed.share,
            law: sentence::law(question, &weighed.best),
            figure: figure(weighed),
            reasons: weighed.candidate.reasons.clone(),
            remedy: advice::possible(question, &weighed.candidate.remedy),
        })
        .collect();
    let most = MOST_COST * cost(question, &stated(question)).0;
    let is_left = listed.first().is_some_and(|first| {
        first.candidate.id != "wake-up-cost" && sentence::leaves_more(question, &first.best, most)
    });
    let longest = listed.first().and_then(|first| first.best.longest_left(&question.pairs));
    let (verdict, decided) = verdict(question, &candidates, none, is_left, longest);
    let first = listed.first().filter(|first| first.share >= none);
    AskedAnswer {
        verdict,
        decided,
        stated: said(question),
        remedy: first.map(|first| advice::possible(question, &first.candidate.remedy)).unwrap_or_default(),
        experiment: experiment(question, &listed, none),
        candidates,
        none_of_these: none,
        remarks: remarks(question),
    }
}

fn stated(question: &Question) -> Stated<'_> {
    let row = question.call_row();
    let in_version = question.in_version();
    let wait = in_version.map_or_else(|| row.map_or(KernelWait::Sleep, |row| row.wait), |call| call.wait);
    Stated { question, wait: if asks_for_tick(question) { KernelWait::Raised } else { wait }, in_version }
}

/// Returns whether Java asks Windows for a tick of 1 ms (`os_windows.cpp`, `HighResolutionInterval`).
fn asks_for_tick(question: &Question) -> bool {
    let is_java = question.call_row().is_some_and(|row| row.runtime == "Java" && row.names.contains(&"Thread.sleep"));
    let is_odd = |pair: &AskedPair| pair.requested.get() % 10_000_000 != 0;
    is_java && question.platform() == Some(Platform::Windows) && question.pairs.iter().any(is_odd)
}

/// Returns the candidates with their shares.
fn weigh(question: &Question) -> Weighing {
    let Evidence { all, none, .. } = evidence(question, true);
    shared(all, none)
}

/// Returns what the figures say of each candidate. `sought`: whether their cause is sought, or one is known that may be there.
fn evidence(question: &Question, sought: bool) -> Evidence {
    let stated = stated(question);
    let mut candidates = runtimes::candidates(&stated);
    if stated.keeps_schedule() {
        for candidate in &mut candidates {
            candidate.prior *= LAW_OF_SCHEDULE;
        }
    }
    candidates.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    candidates.extend(events::candidates(&stated, &candidates));
    let unknown_call = question.call.is_some() && question.call_row().is_none();
    // Nor are the rules of every system known.
    let unknown_system =
        question.platform() == Some(Platform::Other) && question.call_row().is_none_or(|row| row.runtime.is_empty());
    let prior_of_none = match question.platform() {
        // Whose rules are few, whatever the call is called.
        Some(Platform::FreeRtos | Platform::Zephyr) if unknown_call => NONE_OF_UNKNOWN_TASK_CALL,
        _ if unknown_call || unknown_system => NONE_OF_UNKNOWN_CALL,
        _ => NONE,
    };
    let total: f64 = candidates.iter().map(|candidate| candidate.prior).sum::<f64>() / (1.0 - prior_of_none);
    let mut priors: Vec<(&'static str, f64)> = Vec::new();
    for candidate in &candidates {
        match priors.iter_mut().find(|(id, _)| *id == candidate.id) {
            Some((_, prior)) => *prior += candidate.prior / total,
            None => priors.push((candidate.id, candidate.prior / total)),
        }
    }
    let is_schedule = question.conditions.contains(&StatedCondition::Periodic);
    let cost = cost(question, &stated);
    let weighed = candidates.into_iter().filter_map(|mut candidate| {
        candidate.reason_by_interrupt(&question.pairs);
        let (by_cost, best) = candidate.weigh(&question.pairs, is_schedule, cost, sought)?;
        let by_cost = by_cost.times((candidate.prior / total).ln());
        Some(Weighed { candidate, best, by_cost, share: 0.0 })
    });
    Evidence { all: merge(weighed.collect()), none: unknown::ln(&question.pairs) + prior_of_none.ln(), priors }
}

/// Turns logarithms into shares.
fn shared(mut all: Vec<Weighed>, none: f64) -> Weighing {
    let lns: Vec<f64> = all.iter().map(|weighed| weighed.by_cost.ln()).chain([none]).collect();
    let evidence = candidate::log_sum(&lns);
    for weighed in &mut all {
        weighed.share = (weighed.by_cost.ln() - evidence).exp();
    }
    all.sort_by(|a, b| b.share.total_cmp(&a.share));
    Weighing { all, none: (none - evidence).exp() }
}

/// Returns the verdict on sleeps that lasted as long as was asked for, to the last digit written, or of which none lasted longer
/// than a limit; `None` of all others.
fn in_time(question: &Question) -> Option<String> {
    let all: Vec<&Figure> = question.pairs.iter().flat_map(|pair| &pair.figures).collect();
    if let Some(Figure::Longer { limit, .. }) = all.first()
        && all.iter().all(|figure| matches!(figure, Figure::Longer { longer: 0, .. }))
    {
        return Some(format!(
            "Nothing to explain: no sleep lasted longer than {}; a figure of how long they did last would say more, such as p50= or max=.",
            sentence::time(limit.as_f64())
        ));
    }
    let of_pair = |pair: &AskedPair| {
        let is_same = |at: &Reading| {
            let slept_at_all = at.time.get() != 0 || pair.requested.get() == 0;
            slept_at_all && (at.time - pair.requested).as_f64().abs() <= at.half_digit_ns
        };
        pair.figures.iter().all(|figure| figure.ends().is_some_and(|(from, to)| is_same(&from) && is_same(&to)))
    };
    question.pairs.iter().all(of_pair).then(|| {
        let asked = question.pairs.first().map(|pair| sentence::time(pair.requested.as_f64())).unwrap_or_default();
        format!(
            "Nothing to explain: what was asked for ({asked}) is what it took, to the last digit written; if it was late by less, \
             write that, as in --took +60us."
        )
    })
}

/// Adds up candidates of the same cause, whose best one speaks for all.
fn merge(weighed: Vec<Weighed>) -> Vec<Weighed> {
    let mut merged: Vec<(f64, Weighed)> = Vec::new();
    for one in weighed {
        match merged.iter_mut().find(|(_, known)| known.candidate.id == one.candidate.id) {
            Some((most, known)) => {
                let by_cost = known.by_cost.map(&one.by_cost, density::add);
                if one.by_cost.ln() > *most {
                    *most = one.by_cost.ln();
                    *known = one;
                }
                known.by_cost = by_cost;
            }
            None => merged.push((one.by_cost.ln(), one)),
        }
    }
    merged.into_iter().map(|(_, weighed)| weighed).collect()
}

/// Returns the verdict, and whether a cause is stated in it.
/// `is_left`: whether the first candidate leaves more than waking usually costs; `longest`: the longest sleep, in ns, if it lets none
/// last as long.
fn verdict(
    question: &Question,
    candidates: &[AskedCandidate],
    none: f64,
    is_left: bool,
    longest: Option<f64>,
) -> (String, bool) {
    let named = |one: &AskedCandidate| format!("{} ({})", one.name, percent_of_candidates(one.share));
    let Some(first) = candidates.first().filter(|first| first.share >= none) else {
        let near = candidates.first().filter(|first| first.share >= NEAR);
        let near = near.map(|first| format!("; the nearest is {}", named(first))).unwrap_or_default();
        return (
            format!("None of the laws known here explains these figures ({}){near}.", percent_of_candidates(none)),
            false,
        );
    };
    if first.share >= LIKELY && first.reasons.is_empty() && OF_ANY_SIZE.contains(&first.cause) {
        let named = capital(question, &named(first));
        return (format!("{named}? Nothing that is stated speaks for it, and it explains any lateness."), false);
    }
    if is_left && first.share >= LIKELY {
        return (
            format!(
                "{}? It would leave more than waking usually costs: {}.",
                capital(question, &named(first)),
                first.figure
            ),
            false,
        );
    }
    if let Some(longest) = longest.filter(|_| first.share >= LIKELY) {
        let (named, longest) = (capital(question, &named(first)), sentence::time(longest));
        return (format!("{named}? It explains the usual length, and not the longest one: {longest}."), false);
    }
    if first.share >= DECIDED {
        return (format!("{}: {}.", capital(question, &named(first)), first.figure), true);
    }
    if first.share >= LIKELY {
        return (format!("Most likely {}: {}.", named(first), first.figure), true);
    }
    let likely: Vec<String> = candidates.iter().take(3).map(named).collect();
    (format!("These figures do not decide it: {}.", likely.join("; or ")), false)
}

/// Returns a sentence with a capital letter, unless a proper name begins it.
fn capital(question: &Question, text: &str) -> String {
    let runtime = question.call_row().map_or("", |row| row.runtime);
    let mut letters = text.chars();
    let is_name = ["macOS", "iOS", "illumos"].iter().any(|name| text.starts_with(name));
    let is_name = is_name || (!runtime.is_empty() && !runtime.starts_with("the ") && text.starts_with(runtime));
    letters
        .next()
        .filter(|_| !is_name)
        .map_or_else(|| text.to_owned(), |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the typical cost of waking in ns.
fn cost(question: &Question, stated: &Stated<'_>) -> Cost {
    let runtime = question.call_row().is_some_and(|row| !row.runtime.is_empty());
    let of_system = match question.platform() {
        // What does not wait costs a call.
        _ if stated.returns_at_once() >= 0.5 || stated.is_cut_to_nothing() => 300.0,
        Some(Platform::Windows) => 20e3,
        // A microcontroller that spins or waits for a counter pays for a call only.
        Some(platform) if platform.is_small() && stated.wait == KernelWait::Precise => 1e3,
        Some(Platform::FreeRtos | Platform::Other) => 50e3,
        _ => 8e3,
    };
    let of_runtime = if runtime { 3.0 } else { 1.0 };
    let of_runtime = if stated.is_real_time() { 0.5 } else { of_runtime };
    let of_guest = if stated.is_guest() { 3.0 } else { 1.0 };
    Cost(of_system * of_runtime * of_guest)
}

/// Returns what was taken from the question, for the reader to check.
fn said(question: &Question) -> Vec<String> {
    let mut said = Vec::new();
    match (&question.system, question.platform()) {
        (Some(system), Some(platform)) if system.text.to_lowercase().contains(&platform.name().to_lowercase()) => {
            said.push(system.text.clone());
        }
        (Some(system), Some(platform)) => said.push(format!("{} (taken for {})", system.text, platform.name())),
        (None, Some(platform)) => said.push(format!("{}, by the call", platform.name())),
        _ => {}
    }
    if let Some(call) = &question.call {
        match question.call_row() {
            Some(row) if !row.runtime.is_empty() && !row.runtime.eq_ignore_ascii_case(call) => {
                said.push(format!("{call} of {}", row.runtime));
            }
            _ => said.push(call.clone()),
        }
    }
    said.extend(question.conditions.iter().map(ToString::to_string));
    said
}

fn remarks(question: &Question) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(call) = question.call.as_ref().filter(|_| question.call_row().is_none()) {
        remarks.push(format!("{call} is not a call known here; the figures alone speak"));
    }
    match (question.platform(), &question.system) {
        (None, None) => remarks.push("without --system all systems are considered".to_owned()),
        (None, Some(_)) if question.call_row().is_some_and(|row| row.runtime == "the browser") => {}
        (None, Some(system)) => {
            remarks
                .push(format!("{system} runs on several systems, all of which are considered; add the system's name"));
        }
        (Some(Platform::Other), Some(system))
            if question.call_row().is_none_or(|row| !row.platforms.contains(&Platform::Other)) =>
        {
            remarks.push(format!("nothing is known here of the rules of {system}"));
        }
        _ => {}
    }
    remarks
}

/// Returns the one thing to try that would decide: another request whose length the first two candidates predict most
/// differently, or the first one's own test.
fn experiment(question: &Question, listed: &[&Weighed], none: f64) -> String {
    let Some(first) = listed.first() else {
        return format!("print twenty values, the shortest and the longest among them; {SEVERAL_LENGTHS}");
    };
    let mut test = advice::possible(question, &first.candidate.test);
    if test.is_empty() {
        SEVERAL_LENGTHS.clone_into(&mut test);
    }
    if question.system.is_none() && question.platform().is_none() {
        test = format!("say the system (--system) and the call (-m); then {test}");
    }
    if none > LIKELY && !test.contains(SEVERAL_LENGTHS) {
        return format!("{SEVERAL_LENGTHS}; {test}");
    }
    let Some(other) = listed.get(1).map(|other| &other.best) else { return test };
    let best = &first.best;
    let Some(asked) = telling(question, best, other) else { return test };
    let of = |best: &Best| best.variant.lengths(asked).2;
    format!(
        "{test}; or sleep {}: {} if it is the first of these, {} if it is the second",
        sentence::time(asked),
        sentence::time(of(best)),
        sentence::time(of(other))
    )
}

/// Returns the request of a few usual ones for which two candidates' laws differ most; `None` if by less than a tenth, or if
/// they differ by events alone.
fn telling(question: &Question, one: &Best, other: &Best) -> Option<f64> {
    let apart = |asked: f64| {
        let (a, b) = (one.variant.lengths(asked).2, other.variant.lengths(asked).2);
        (a - b).abs() / a.max(b).max(1.0)
    };
    let usual = [1e5, 1e6, 3e6, 10e6, 20e6, 33e6, 100e6];
    let is_new = |asked: &f64| question.pairs.iter().all(|pair| (pair.requested.as_f64() - asked).abs() > 0.1 * asked);
    let best = usual.into_iter().filter(is_new).max_by(|a, b| apart(*a).total_cmp(&apart(*b)))?;
    (apart(best) > 0.1).then_some(best)
}
