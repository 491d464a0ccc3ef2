//! The facts in which the machines differ, and the runtimes that slept.

use super::ComparableRun;
use oversleep_recording::Origin;
use oversleep_recording::document::{FactDifference, StatedFacts};
use oversleep_recording::machine::Machine;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Facts that change from minute to minute on one machine, so that their values explain nothing.
const RESTLESS: [&str; 4] = ["/load", "/steal", "/memory", "/quota"];

/// Returns what a side states of its machine.
pub(super) fn stated(side: &[&ComparableRun]) -> StatedFacts {
    if !side.is_empty() && side.iter().all(|run| matches!(run.meta.origin, Origin::Simulated { .. })) {
        StatedFacts::Simulated
    } else if side.iter().any(|run| run.meta.machine != Machine::default()) {
        StatedFacts::Machine
    } else {
        StatedFacts::Nothing
    }
}

/// Returns the facts whose values differ between the sides; those of the machines only if both
/// sides' were measured or both simulated.
pub(super) fn differences(a: &[&ComparableRun], b: &[&ComparableRun]) -> Vec<FactDifference> {
    let both = StatedFacts::comparable([stated(a), stated(b)]);
    let of = |side| if both { gathered(side) } else { BTreeMap::new() };
    let (mut of_a, mut of_b) = (of(a), of(b));
    let facts: BTreeSet<String> = of_a.keys().chain(of_b.keys()).cloned().collect();
    facts
        .into_iter()
        .map(|fact| FactDifference {
            a: of_a.remove(&fact).unwrap_or_default().into_iter().collect(),
            b: of_b.remove(&fact).unwrap_or_default().into_iter().collect(),
            fact,
        })
        .filter(|difference| difference.a != difference.b)
        .chain(runtimes(a, b))
        .collect()
}

/// Returns the methods that both sides have, and of which the runtimes or their versions differ.
fn runtimes(a: &[&ComparableRun], b: &[&ComparableRun]) -> Vec<FactDifference> {
    let of = |side: &[&ComparableRun]| {
        let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (method, version) in side.iter().flat_map(|run| &run.runtimes) {
            versions.entry(method.clone()).or_default().insert(version.clone());
        }
        versions
    };
    let (of_a, mut of_b) = (of(a), of(b));
    let both = of_a.into_iter().filter_map(|(method, a)| Some((of_b.remove(&method)?, a, method)));
    let differ = both.filter(|(b, a, _)| a != b);
    let difference = |(b, a, method): (BTreeSet<String>, BTreeSet<String>, String)| FactDifference {
        fact: format!("/runtime/{method}"),
        a: a.into_iter().collect(),
        b: b.into_iter().collect(),
    };
    differ.map(difference).collect()
}

/// Returns the values of each fact on one side.
fn gathered(side: &[&ComparableRun]) -> BTreeMap<String, BTreeSet<String>> {
    let mut facts = BTreeMap::new();
    for run in side {
        // Plain data with text keys always serialises.
        enter(&serde_json::to_value(&run.meta.machine).unwrap_or_default(), String::new(), &mut facts);
    }
    facts
}

fn enter(value: &Value, place: String, facts: &mut BTreeMap<String, BTreeSet<String>>) {
    if RESTLESS.contains(&place.as_str()) {
        return;
    }
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| enter(value, format!("{place}/{key}"), facts)),
        // A fact that the system does not tell is not a difference.
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        Value::String(text) => _ = facts.entry(place).or_default().insert(text.clone()),
        other => _ = facts.entry(place).or_default().insert(other.to_string()),
    }
}
