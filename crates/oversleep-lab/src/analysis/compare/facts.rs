//! What differs between the machines, fact by fact.

use super::ComparableRun;
use oversleep_recording::document::FactDifference;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Facts that differ from minute to minute on one machine and explain nothing by their values.
const RESTLESS: [&str; 4] = ["/load", "/steal", "/memory", "/quota"];

/// Returns the facts whose values are not the same on all recordings of both sides.
pub(super) fn differences(a: &[&ComparableRun], b: &[&ComparableRun]) -> Vec<FactDifference> {
    let (mut of_a, mut of_b) = (gathered(a), gathered(b));
    let facts: BTreeSet<String> = of_a.keys().chain(of_b.keys()).cloned().collect();
    facts
        .into_iter()
        .map(|fact| FactDifference {
            a: of_a.remove(&fact).unwrap_or_default().into_iter().collect(),
            b: of_b.remove(&fact).unwrap_or_default().into_iter().collect(),
            fact,
        })
        .filter(|difference| difference.a != difference.b)
        .collect()
}

/// The values of each fact on one side.
fn gathered(side: &[&ComparableRun]) -> BTreeMap<String, BTreeSet<String>> {
    let mut facts = BTreeMap::new();
    for run in side {
        // Plain data with text keys: nothing in it can fail to be written.
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
        // What the system does not say differs from nothing.
        Value::Null => {}
        Value::String(text) => _ = facts.entry(place).or_default().insert(text.clone()),
        other => _ = facts.entry(place).or_default().insert(other.to_string()),
    }
}
