//! Stalls: sleeps that are later than a threshold, each with its cause.

use oversleep_analysis::attribution::name_late;
use oversleep_recording::document::breakdown::PartKind;
use oversleep_recording::document::late::NamedLateSleep;
use oversleep_recording::plan::Plan;
use oversleep_recording::{Flags, Note, Sample};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;

/// Cause of stalls beyond the number that is examined.
const NOT_EXAMINED: &str = "not-examined";

/// A stall, as it is counted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stall {
    /// Cause of its largest part.
    pub(super) cause: String,
    /// Its lateness by cause.
    pub(super) parts: Vec<(String, Nanos)>,
}

/// The stalls of one round.
#[derive(Debug)]
pub(super) struct Stalls {
    threshold: Nanos,
    plan: Plan,
    /// The conditions that threads obtained.
    known: Note,
    /// Explanations of stalls that were examined, and of which the samples are still to come: by cell, thread, sequence.
    examined: HashMap<(u32, u16, u64), String>,
}

impl Stalls {
    pub(super) fn new(threshold: Nanos, plan: &Plan) -> Self {
        Self { threshold, plan: plan.clone(), known: Note::default(), examined: HashMap::new() }
    }

    /// Takes a note of the run; returns the stalls that were examined.
    pub(super) fn note(&mut self, note: &Note) -> Vec<Stall> {
        self.known.absorb(Note { obtained: note.obtained.clone(), ..Note::default() });
        let named: Vec<NamedLateSleep> =
            note.late_sleeps.iter().map(|late| name_late(&self.plan, &self.known, late)).collect();
        self.examined.extend(named.iter().map(|late| ((late.cell, late.thread, late.sequence), late.explanation())));
        named.into_iter().filter(|late| late.length > self.threshold).map(counted).collect()
    }

    /// Returns how late a sleep was and why, before its sample is taken; without the cause where it was not examined.
    pub(super) fn explanation(&self, sample: &Sample) -> String {
        let examined = self.examined.get(&(sample.cell, sample.thread, sample.sequence));
        examined.cloned().unwrap_or_else(|| format!("{} late", sample.oversleep()))
    }

    /// Takes samples, after the notes on them; returns the stalls that were not examined.
    pub(super) fn samples(&mut self, batch: &[Sample]) -> Vec<Stall> {
        let late = |sample: &&Sample| !sample.flags.has(Flags::FAILED) && sample.oversleep() > self.threshold;
        let mut found = Vec::new();
        for sample in batch.iter().filter(late) {
            if self.examined.remove(&(sample.cell, sample.thread, sample.sequence)).is_none() {
                let cause = NOT_EXAMINED.to_owned();
                found.push(Stall { cause: cause.clone(), parts: vec![(cause, sample.oversleep())] });
            }
        }
        found
    }
}

fn counted(late: NamedLateSleep) -> Stall {
    let parts = late.breakdown.map_or_else(Vec::new, |breakdown| breakdown.parts);
    let Some(largest) = parts.iter().max_by_key(|part| part.time) else {
        let cause = label(PartKind::Rest);
        return Stall { cause: cause.clone(), parts: vec![(cause, late.length)] };
    };
    Stall {
        cause: label(largest.kind),
        parts: parts.iter().map(|part| (label(part.kind), part.time.max(Nanos::ZERO))).collect(),
    }
}

/// Returns the name of a part as a label: `run-queue`.
fn label(kind: PartKind) -> String {
    kind.name().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::LateSleep;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::{Conditions, Pattern, build};

    fn late(sequence: u64, micros: i64) -> (Sample, LateSleep) {
        let (requested, start) = (Nanos::from_millis(10), Nanos::SECOND);
        let length = Nanos::from_micros(micros);
        let end = start + requested + length;
        let sample = Sample { sequence, requested, start, end, ..Sample::BLANK };
        (sample, LateSleep { sequence, requested, start, at: end, length, ..LateSleep::default() })
    }

    #[test]
    fn each_stall_is_counted_once_with_its_whole_lateness() {
        let requests = [Pattern::Fixed { requested: Nanos::from_millis(10) }];
        let grid = build::Grid {
            rows: &[MethodId::Nanosleep.row()],
            requests: &requests,
            conditions: &[Conditions::default()],
        };
        let mut stalls = Stalls::new(Nanos::MILLISECOND, &build::measure(&grid, 10, 1));
        let ((first, seen), (second, _), (on_time, _)) = (late(0, 1_500), late(1, 2_000), late(2, 1_000));
        let failed = Sample { flags: Flags::FAILED, ..second };
        let unknown = "not-separated".to_owned();
        let without_evidence = Stall { cause: unknown.clone(), parts: vec![(unknown, Nanos::from_micros(1_500))] };
        assert_eq!(stalls.note(&Note { late_sleeps: vec![seen.clone()], ..Note::default() }), [without_evidence]);
        let missed = NOT_EXAMINED.to_owned();
        let counted_only = Stall { cause: missed.clone(), parts: vec![(missed, Nanos::from_millis(2))] };
        assert_eq!(stalls.samples(&[first, second, on_time, failed]), [counted_only]);
        // Watched, with nothing but the slack known: the parts are the whole lateness.
        let watched = LateSleep { watched: true, ..seen };
        let [found] = &stalls.note(&Note { late_sleeps: vec![watched], ..Note::default() })[..] else { panic!() };
        let whole = found.parts.iter().fold(Nanos::ZERO, |sum, (_, time)| sum + *time);
        assert_eq!(whole, Nanos::from_micros(1_500), "{found:?}");
    }
}
