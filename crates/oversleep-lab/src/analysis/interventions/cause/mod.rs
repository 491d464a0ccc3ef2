//! From effects to causes, a file each: what an intervention takes away is what its cause was worth.
//!
//! A reading is there wherever the intervention was made, also if it did nothing: "no slack, give or take a
//! microsecond" is what contradicts another witness. A finding is there only for what survived the correction.

mod entry;
mod idle;
mod length;
mod run_queue;
mod slack;

use oversleep_recording::Recording;
use oversleep_recording::document::evidence::{Changed, OtherChange};
use oversleep_recording::document::{Effect, Evidence, Finding, Interventions, Part, Reading, Unit, Witness};

const DETECTORS: [fn(&Interventions, &Recording) -> Option<Reading>; 5] =
    [slack::detect, idle::detect, run_queue::detect, length::detect, entry::detect];

/// Every reading of the base.
pub(super) fn read(found: &Interventions, recording: &Recording) -> Vec<Reading> {
    DETECTORS.iter().filter_map(|detect| detect(found, recording)).collect()
}

/// A reading of what an effect took away; a finding if that is seen at the median and is something.
fn taken(base: u32, evidence: impl Into<Evidence>, effect: &Effect) -> Reading {
    let evidence = evidence.into();
    let p50 = Part::taken_by(&effect.p50);
    let seen = effect.p50.seen && p50.size > 0.0;
    Reading {
        cell: base,
        cause: evidence.cause(),
        p50,
        p99: effect.p99.as_ref().map(Part::taken_by),
        seen,
        by: named(effect),
        finding: seen.then(|| finding(evidence, p50, effect)),
    }
}

/// The change in words, with what it is measured against if not the base.
pub(crate) fn named(effect: &Effect) -> String {
    match &effect.given {
        None => effect.change.to_string(),
        Some(given) => format!("{} ({given} both)", effect.change),
    }
}

/// What an effect says as evidence.
fn changed(effect: &Effect) -> Changed {
    Changed {
        changed: named(effect),
        p50_shift_ns: effect.p50.size,
        p_corrected: effect.p50.corrected,
        blocks: effect.blocks,
        sleeps: effect.sleeps,
        p99_shift_ns: effect.p99.map(|p99| p99.size),
        other: None,
        part: None,
        ratio: None,
        measured_beside: None,
    }
}

/// The effect of another change of the same kind, beside it.
fn other(effect: &Effect) -> OtherChange {
    OtherChange { changed: named(effect), p50_shift_ns: effect.p50.size }
}

/// The finding of a part that an effect showed.
fn finding(evidence: impl Into<Evidence>, part: Part, effect: &Effect) -> Finding {
    let mut finding = Finding::new(evidence, part.size, Unit::Nanoseconds)
        .between(part.low, part.high)
        .sure((1.0 - effect.p50.corrected).min(0.99));
    finding.witnesses = vec![Witness::Intervention];
    finding
}
