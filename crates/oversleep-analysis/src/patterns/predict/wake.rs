//! How the cost of waking changes with the length of the sleep and with the scheduling class.
//!
//! A shorter sleep leaves caches warmer and the processor, or the host's, in a shallower idle state. The cost grows
//! about as a power of the length. The exponent is that between the recording's cells of other requests, weighed
//! against what was measured elsewhere: 90 pairs of sleeps with and without a slack of 50 or 500 µs, of 250 µs, 1 ms
//! and 4 ms, on the virtual machine B of docs/BENCHMARKS.md, 2026-11-24 and 26.

use crate::patterns::features::Features;
use crate::patterns::features::steady::UsualLateness;

/// Exponent with which the cost grows with the length of the sleep, and its standard deviation between machines.
const EXPONENT: f64 = 0.10;
const EXPONENT_ERROR: f64 = 0.09;
/// Standard deviation of an exponent between two cells from the one at another length: costs follow no exact power.
const OTHER_LENGTH: f64 = 0.07;
/// What waking costs less under `SCHED_FIFO`, in parts of the cost, and its standard deviation between runs.
const REAL_TIME: f64 = 0.02;
const REAL_TIME_ERROR: f64 = 0.07;

/// How the cost of waking changes: by a factor, with its standard error as a part of the cost before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Changed {
    pub(super) factor: f64,
    pub(super) error: f64,
}

/// An exponent and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GrowthExponent {
    exponent: f64,
    error: f64,
}

/// Returns the exponent with which cost grows between a view's cell and the one of the same group that is nearest in
/// length, if there is one at least a quarter longer or shorter; shorter ones come first.
pub(super) fn growth(features: &Features<'_>, view: usize) -> Option<GrowthExponent> {
    let steady = features.steady_of(view)?;
    // What does not change with the length is not a cost.
    let fixed = |cell: &UsualLateness| steady.stretched(cell.requested);
    let length = |cell: &UsualLateness| (cell.requested + cell.late).max(1.0);
    let cost = |cell: &UsualLateness| cell.late - fixed(cell);
    let own = steady.usual.iter().find(|cell| cell.view == view)?;
    let apart = |other: &&UsualLateness| (length(other) / length(own)).ln().abs();
    let usable =
        |other: &&UsualLateness| cost(other) > 1_000.0 && apart(other) > 1.25f64.ln() && other.requested <= 20e6;
    let others = || steady.usual.iter().filter(|other| other.view != view).filter(usable);
    let nearest = |shorter: bool| {
        let side = others().filter(|other| (length(other) < length(own)) == shorter);
        side.min_by(|a, b| apart(a).total_cmp(&apart(b)))
    };
    let other = nearest(true).or_else(|| nearest(false)).filter(|_| cost(own) > 1_000.0)?;
    let log = (length(own) / length(other)).ln();
    let exponent = (cost(own) / cost(other)).ln() / log;
    let chance = (own.error / cost(own)).hypot(other.error / cost(other)) / log.abs();
    Some(GrowthExponent { exponent: exponent.clamp(-0.5, 2.0), error: chance.hypot(OTHER_LENGTH) })
}

/// Returns how the cost changes where sleeps of one length (in ns) come to last another.
///
/// `known`: the exponent that the recording shows. `real_time`: whether the remedy makes the thread a real-time one.
pub(super) fn change((before, after): (f64, f64), known: Option<GrowthExponent>, real_time: bool) -> Changed {
    let log = (before.max(1.0) / after.max(1.0)).ln();
    let GrowthExponent { exponent, error } = known.map_or(ELSEWHERE, with_elsewhere);
    let (less, its_error) = if real_time { (REAL_TIME, REAL_TIME_ERROR) } else { (0.0, 0.0) };
    Changed { factor: (-exponent * log - less).exp(), error: (error * log).hypot(its_error) }
}

/// What is known of the exponent without the recording.
const ELSEWHERE: GrowthExponent = GrowthExponent { exponent: EXPONENT, error: EXPONENT_ERROR };

/// Returns the mean of the recording's exponent and the one known elsewhere, each weighed by its precision. The further
/// they are apart, the less the latter says about this machine.
fn with_elsewhere(known: GrowthExponent) -> GrowthExponent {
    let apart = (known.exponent - ELSEWHERE.exponent).abs();
    let (own, elsewhere) = (known.error.powi(-2), ELSEWHERE.error.max(apart).powi(-2));
    GrowthExponent {
        exponent: (known.exponent * own + ELSEWHERE.exponent * elsewhere) / (own + elsewhere),
        error: (own + elsewhere).sqrt().recip(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_sleep_costs_less_and_an_equal_one_as_much() {
        let none = change((1e6, 1e6), None, false);
        assert_eq!((none.factor, none.error), (1.0, 0.0));
        let third = change((750e3, 250e3), None, false);
        assert!((third.factor - 3f64.powf(-EXPONENT)).abs() < 1e-12 && third.error > 0.09, "{third:?}");
        assert!(change((1e6, 1e6), None, true).factor < change((1e6, 1e6), None, false).factor);
    }

    #[test]
    fn what_the_recording_shows_outweighs_what_is_known_elsewhere() {
        let steep = GrowthExponent { exponent: 0.8, error: 0.02 };
        let both = with_elsewhere(steep);
        assert!(both.exponent > 0.79 && both.error < 0.02, "{both:?}");
        let vague = with_elsewhere(GrowthExponent { exponent: 0.14, error: 1.0 });
        assert!((vague.exponent - EXPONENT).abs() < 0.001, "{vague:?}");
    }
}
