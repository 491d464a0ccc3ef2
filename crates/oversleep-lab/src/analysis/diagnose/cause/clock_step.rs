//! `clock-step`: the wall clock was set while the recording ran, seen against the monotonic clock.

use super::{At, Cause, Seen};
use crate::analysis::diagnose::features::Features;
use crate::analysis::diagnose::features::robust::{median, spread};
use crate::analysis::diagnose::finding::{Finding, Unit};
use crate::plan::ClockName;

/// A step is at least this, in ns: slewing at 500 ppm moves as much in 0.4 s.
const LEAST: f64 = 200_000.0;

pub(super) fn look(features: &Features<'_>) -> Vec<Seen> {
    let mut offsets: Vec<(f64, f64)> = features
        .recording
        .note
        .brackets
        .iter()
        .filter(|bracket| bracket.clock == ClockName::Realtime)
        .map(|bracket| {
            let offset = bracket.reading.get().saturating_sub(bracket.monotonic.get());
            (bracket.monotonic.as_f64(), offset)
        })
        .scan(None, |first, (at, offset)| {
            let first = *first.get_or_insert(offset);
            Some((at, offset.saturating_sub(first) as f64))
        })
        .collect();
    offsets.sort_by(|a, b| a.0.total_cmp(&b.0));
    steps(&offsets).into_iter().map(|finding| (At::Machine, finding)).collect()
}

/// Steps that stand out of the offsets' own scatter and last.
fn steps(offsets: &[(f64, f64)]) -> Vec<Finding> {
    let moves: Vec<f64> = offsets.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
    let Some(usual) = median(&moves) else { return Vec::new() };
    let limit = (20.0 * spread(&moves, usual)).max(LEAST);
    let mut found = Vec::new();
    for (at, &step) in moves.iter().enumerate() {
        let slewed = 1e-3 * (offsets[at + 1].0 - offsets[at].0);
        let after = &offsets[at + 1..(at + 4).min(offsets.len())];
        let lasts = after.iter().all(|(_, offset)| (offset - offsets[at].1 - step).abs() < 0.3 * step.abs());
        if step.abs() > limit.max(slewed) && lasts {
            found.push(
                Finding::new(Cause::ClockStep, step, Unit::Nanoseconds)
                    .between(step - limit * 0.1, step + limit * 0.1)
                    .sure(0.97)
                    .with("monotonic_ns", offsets[at + 1].0)
                    .with("clock", "realtime"),
            );
        }
        if found.len() == 20 {
            break;
        }
    }
    found
}
