//! Converts effects to causes, in a file each: what an intervention removes is the size of its cause.
//!
//! There is a reading wherever the intervention was made, even if it had no effect: "no slack, give or take a
//! microsecond" may contradict another witness. There is a finding only for what survived the correction.

mod entry;
mod idle;
mod length;
mod run_queue;
mod slack;

use oversleep_recording::Recording;
use oversleep_recording::document::evidence::{Changed, OtherChange};
use oversleep_recording::document::{
    CauseSize, Effect, Evidence, Finding, Interventions, SizeInterval, Undecided, Unit, Witness,
};

const DETECTORS: [fn(&Interventions, &Recording) -> Option<CauseSize>; 5] =
    [slack::detect, idle::detect, run_queue::detect, length::detect, entry::detect];

/// Returns every reading of the baseline.
pub(super) fn read(found: &Interventions, recording: &Recording) -> Vec<CauseSize> {
    DETECTORS.iter().filter_map(|detect| detect(found, recording)).collect()
}

/// Returns the effects whose cause stays open.
pub(super) fn open(found: &Interventions, recording: &Recording) -> Vec<Undecided> {
    idle::open(found, recording).into_iter().collect()
}

/// Returns a reading without negative sizes, which no cause has; `None` where the change made sleeps later, as that hides whatever it
/// removed.
pub(super) fn possible(reading: CauseSize) -> Option<CauseSize> {
    Some(CauseSize {
        p50: reading.p50.not_negative()?,
        p99: reading.p99.and_then(SizeInterval::not_negative),
        ..reading
    })
}

/// Returns a reading of what an effect removed, with a finding if the median's effect is significant and positive.
fn taken(base: u32, evidence: impl Into<Evidence>, effect: &Effect) -> CauseSize {
    let evidence = evidence.into();
    let p50 = SizeInterval::taken_by(&effect.p50);
    let seen = effect.p50.seen && p50.size > 0.0;
    CauseSize {
        cell: base,
        cause: evidence.cause(),
        p50,
        p99: effect.p99.as_ref().map(SizeInterval::taken_by),
        seen,
        by: effect.in_words(),
        finding: seen.then(|| finding(evidence, p50, effect)),
    }
}

/// Returns an effect as evidence.
fn changed(effect: &Effect) -> Changed {
    Changed {
        changed: effect.in_words(),
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

/// Returns the effect of another change of the same kind, as further evidence.
fn other(effect: &Effect) -> OtherChange {
    OtherChange { changed: effect.in_words(), p50_shift_ns: effect.p50.size }
}

/// Returns the finding of a part that an effect showed.
fn finding(evidence: impl Into<Evidence>, part: SizeInterval, effect: &Effect) -> Finding {
    let mut finding = Finding::new(evidence, part.size, Unit::Nanoseconds)
        .between(part.low, part.high)
        .sure((1.0 - effect.p50.corrected).min(0.99));
    finding.witnesses = vec![Witness::Intervention];
    finding
}
