//! A breakdown in a sentence.

use crate::analysis::attribution::{Breakdown, Complete, Owner, Part, PartKind, culprit_name};
use oversleep_sys::units::Nanos;

/// Parts told; the rest are added up.
const TOLD: usize = 4;
/// Owners told of a part that nobody had for the most part.
const OWNERS: usize = 3;

/// `812 µs late: 700 µs run queue (hog (12, real time 80)), 50.0 µs timer slack, 12.0 µs other parts`.
pub fn sentence(breakdown: &Breakdown) -> String {
    let mut parts: Vec<&Part> = breakdown.parts.iter().filter(|part| part.time != Nanos::ZERO).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.time));
    let mut told: Vec<String> = parts.iter().take(TOLD).map(|part| one(part)).collect();
    let rest: Nanos = parts.iter().skip(TOLD).map(|part| part.time).sum();
    if rest != Nanos::ZERO {
        told.push(format!("{rest} in other parts"));
    }
    let mut said = format!("{} late", breakdown.oversleep());
    if !told.is_empty() {
        said += &format!(": {}", told.join(", "));
    }
    if let Complete::Partial(why) = &breakdown.complete {
        said += &format!(" (partial: {why})");
    }
    said
}

fn one(part: &Part) -> String {
    let said = format!("{} {}", part.time, part.kind.name());
    match most(part) {
        Some(owner) => format!("{said} ({owner})"),
        None if part.owners.is_empty() => said,
        None => {
            let mut owners: Vec<_> = part.owners.iter().collect();
            owners.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
            let told: Vec<String> = owners.iter().take(OWNERS).map(|(owner, time)| format!("{owner} {time}")).collect();
            let rest = owners.len().saturating_sub(OWNERS);
            let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!("{said} ({}{rest})", told.join(", "))
        }
    }
}

/// Who had more than half of a part.
fn most(part: &Part) -> Option<&Owner> {
    part.owners.iter().find(|(_, time)| time.get() > part.time.get() - time.get()).map(|(owner, _)| owner)
}

/// The largest part in a phrase that is the same for all of its kind: `run queue: hog (real time 80)`.
pub fn cause(breakdown: &Breakdown) -> String {
    let largest = breakdown.parts.iter().max_by_key(|part| part.time);
    match largest.map(|part| (part, most(part))) {
        None => PartKind::Rest.name().to_owned(),
        Some((part, None)) => part.kind.name().to_owned(),
        Some((part, Some(owner))) => format!("{}: {}", part.kind.name(), culprit_name(owner)),
    }
}
