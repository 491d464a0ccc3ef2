//! What the samples leave open, and the experiment that would decide it.

use super::cause::stalls_of_several;
use super::circumstances;
use super::features::group::Group;
use super::features::rhythm::one_rhythm;
use super::features::tick::{Design, RULED};
use super::features::{Features, LatenessRule, fires_between_ticks};
use crate::experiment::random_phase;
use oversleep_recording::Origin;
use oversleep_recording::document::{Cause, Undecided};
use oversleep_recording::plan::build::DEFAULT_METHODS;

/// Returns every open question.
pub fn detect(features: &Features<'_>) -> Vec<Undecided> {
    let mut open: Vec<Undecided> = Vec::new();
    for at in 0..features.groups.len() {
        let before = open.len();
        of_group(features, at, &mut open);
        open[before..].iter_mut().for_each(|open| circumstances::weigh(features, at, open));
    }
    open.extend(wheel_alone(features));
    open.extend(stalls_of_several(features));
    open.dedup_by(|a, b| a.question == b.question);
    open
}

/// Adds the open questions of one group.
fn of_group(features: &Features<'_>, at: usize, open: &mut Vec<Undecided>) {
    let group = &features.groups[at];
    let (method, origin) = (&group.method, &features.recording.meta.origin);
    if let Some(left) = features.open[at].as_ref() {
        open.push(Undecided {
            question: format!("what rules the lateness of {method}"),
            why: left.why.clone(),
            experiment: random_phase(origin, method, &group.conditions, 800),
            candidates: left.candidates.clone(),
        });
        return;
    }
    match &features.rules[at] {
        LatenessRule::Few => open.push(Undecided {
            question: format!("what rules the lateness of {method}"),
            why: match group.sleeps.len() {
                1 => "not enough to tell: a single sleep".into(),
                sleeps => format!("not enough to tell: {sleeps} sleeps, and at least 8 are needed"),
            },
            experiment: random_phase(origin, method, &group.conditions, 800),
            candidates: all(),
        }),
        LatenessRule::Unclear if !group.yields() && group.timed().len() >= 8 => open.push(Undecided {
            question: format!("what rules the lateness of {method}"),
            why: "not enough to tell: it follows neither ticks nor one usual value".into(),
            experiment: random_phase(origin, method, &group.conditions, 800),
            candidates: all(),
        }),
        LatenessRule::Tick(tick) => open.extend(of_tick(features, at, tick)),
        LatenessRule::Steady(steady) if !fires_between_ticks(features.recording) && one_rhythm(&group.timed()) => {
            open.push(fast_ticks(origin, group, steady.base));
        }
        _ => {}
    }
}

fn names(causes: &[Cause]) -> Vec<String> {
    causes.iter().map(|cause| cause.name().to_owned()).collect()
}

/// Returns the names of the causes that may rule a method's lateness.
fn all() -> Vec<String> {
    names(&[
        Cause::TickQuantised,
        Cause::ConstantCost,
        Cause::TimerSlack,
        Cause::ProportionalSlack,
        Cause::RunQueue,
        Cause::Coalescing,
    ])
}

/// Returns the question left open where the timer wheel is the only tick seen. Socket timeouts count ticks on every
/// kernel: alone they do not show whether other timers do.
fn wheel_alone(features: &Features<'_>) -> Option<Undecided> {
    let wheel = features.wheels.iter().position(|wheel| *wheel)?;
    let others = features.wheels.iter().zip(&features.rules).any(|(wheel, rule)| !wheel && *rule != LatenessRule::Few);
    (!others).then(|| Undecided {
        question: "whether other sleeps end at ticks".into(),
        why: format!("not enough to tell: {} counts ticks on every kernel", features.groups[wheel].method),
        experiment: random_phase(
            &features.recording.meta.origin,
            DEFAULT_METHODS.measure.name(),
            &features.groups[wheel].conditions,
            400,
        ),
        candidates: names(&[Cause::TimerWheel, Cause::TickQuantised]),
    })
}

/// Returns the question that a steady rhythm leaves open: fast ticks or a constant cost.
fn fast_ticks(origin: &Origin, group: &Group, late: f64) -> Undecided {
    Undecided {
        question: format!("whether {} ends at fast ticks", group.method),
        why: format!(
            "not enough to tell: at one steady rhythm, ticks would end each sleep at the same place, and {:.0} µs late \
             may be a cost or part of a tick",
            late * 1e-3
        ),
        experiment: random_phase(origin, &group.method, &group.conditions, 400),
        candidates: names(&[Cause::ConstantCost, Cause::TickQuantised]),
    }
}

fn of_tick(features: &Features<'_>, at: usize, tick: &super::features::tick::Tick) -> Vec<Undecided> {
    let (group, origin) = (&features.groups[at], &features.recording.meta.origin);
    let method = &group.method;
    let mut open = Vec::new();
    if tick.hz.is_none() {
        let rates: Vec<String> = tick.candidates.iter().map(|hz| format!("{hz} Hz")).collect();
        open.push(Undecided {
            question: format!("the tick rate under {method}"),
            why: format!("not enough to tell: {} fit the samples equally", rates.join(", ")),
            experiment: random_phase(origin, method, &group.conditions, 800),
            candidates: tick.candidates.iter().map(|hz| format!("{} {hz} Hz", Cause::TickQuantised)).collect(),
        });
    }
    if tick.rounding.is_none() && !features.wheels[at] {
        let why = match tick.design {
            Design::Locked => {
                "not enough to tell: back to back, every sleep starts just after a tick, and a request of \
                               whole ticks then takes one tick more by either rule"
            }
            Design::Sliding => "not enough to tell: without a jump of the sawtooth the tick's length is not seen",
            Design::Flat => "not enough to tell: a lateness that never changes shows a tick's place, not its length",
            Design::Diverse if tick.grid.is_some_and(|grid| grid.tick < RULED) => {
                "not enough to tell: waking may cost as much as these ticks last, and another cost looks like another rule"
            }
            Design::Diverse | Design::Coarse => {
                "not enough to tell: requests of whole ticks end at the same tick by either rule"
            }
        };
        open.push(Undecided {
            question: format!("whether {method} sleeps an extra tick"),
            why: why.into(),
            experiment: random_phase(origin, method, &group.conditions, 400),
            candidates: names(&[Cause::TickQuantised]),
        });
    }
    open
}
