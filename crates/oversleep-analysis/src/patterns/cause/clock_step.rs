//! `clock-step`: the wall clock was set while the recording ran, as the monotonic clock shows.

use super::{At, Detection};
use crate::patterns::features::Features;
use crate::patterns::features::robust::{median, spread};
use oversleep_recording::document::evidence::ClockStep;
use oversleep_recording::document::{Finding, Unit};
use oversleep_recording::plan::ClockName;

/// Least size of a step, in ns: slewing at 500 ppm moves the clock as much in 0.4 s.
const LEAST: f64 = 200_000.0;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
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

/// Number of readings that must agree on either side of a step. A reading that is interrupted between its two clocks
/// moves the offset away, and the next one moves it back.
const AGREE: usize = 3;

/// Finds steps from one level to another that exceed the scatter of the offsets; both in ns.
fn steps(offsets: &[(f64, f64)]) -> Vec<Finding> {
    let moves: Vec<f64> = offsets.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
    let Some(usual) = median(&moves) else { return Vec::new() };
    let limit = (20.0 * spread(&moves, usual)).max(LEAST);
    let mut found = Vec::new();
    for (at, &step) in moves.iter().enumerate() {
        let slewed = 1e-3 * (offsets[at + 1].0 - offsets[at].0);
        let before = &offsets[(at + 1).saturating_sub(AGREE)..=at];
        let after = &offsets[at + 1..(at + 1 + AGREE).min(offsets.len())];
        let near = |level: f64, part: &[(f64, f64)]| {
            part.len() >= 2 && part.iter().all(|(_, offset)| (offset - level).abs() < 0.3 * step.abs())
        };
        if step.abs() > limit.max(slewed) && near(offsets[at].1, before) && near(offsets[at + 1].1, after) {
            found.push(
                Finding::new(
                    ClockStep { monotonic_ns: offsets[at + 1].0, clock: ClockName::Realtime },
                    step,
                    Unit::Nanoseconds,
                )
                .between(step - limit * 0.1, step + limit * 0.1)
                .sure(0.97),
            );
        }
        if found.len() == 20 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::steps;

    /// Returns these offsets with readings a millisecond apart.
    fn offsets(values: &[f64]) -> Vec<(f64, f64)> {
        (0u32..).zip(values).map(|(at, &offset)| (f64::from(at) * 1e6, offset)).collect()
    }

    #[test]
    fn a_reading_that_was_interrupted_is_no_step() {
        let mut quiet = [0.0, 10.0].repeat(20);
        assert_eq!(steps(&offsets(&quiet)).len(), 0);
        for at in [0, 17, 39] {
            let mut once = quiet.clone();
            once[at] += 400_000.0;
            assert_eq!(steps(&offsets(&once)).len(), 0, "{at}");
        }
        quiet[17..].iter_mut().for_each(|offset| *offset += 400_000.0);
        let found = steps(&offsets(&quiet));
        assert_eq!(found.len(), 1);
        assert!((found[0].size - 400_000.0).abs() < 100.0);
    }
}
