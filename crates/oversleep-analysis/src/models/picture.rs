//! Predictions for a picture: some of each group's, spread over its sleeps.

use super::MeasuredAndPredicted;
use super::group::ModelledGroup;
use oversleep_figures::PredictedSleep;
use oversleep_sys::units::Nanos;

/// Most predictions of all groups together, and fewest of one.
const POINTS: usize = 4_096;
const FEWEST: usize = 32;

/// Returns how many predictions each of `groups` groups may have.
pub(super) fn points_of_each(groups: usize) -> usize {
    (POINTS / groups.max(1)).max(FEWEST)
}

/// Returns at most `most` of a group's predictions, in order. `pairs` has one for each of its sleeps.
///
/// One is taken of each of `most` equal parts, at a place in it that follows the golden ratio, so that the selection keeps
/// no rhythm of the sleeps.
pub(super) fn points(group: &ModelledGroup, pairs: &[MeasuredAndPredicted], most: usize) -> Vec<PredictedSleep> {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let count = pairs.len().min(group.sleeps.len());
    let place = |part: usize| {
        let within = if count > most { (part as f64 * GOLDEN).fract() } else { 0.0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the sleeps
        let place = ((part as f64 + within) * count as f64 / most.min(count) as f64) as usize;
        place.min(count - 1)
    };
    let sleeps = (0..most.min(count)).map(place).map(|at| (group.sleeps[at], pairs[at].1));
    let absolute = |start: i64| Nanos::new(group.origin.saturating_add(start));
    sleeps
        .map(|(sleep, late)| PredictedSleep { cell: sleep.cell, start: absolute(sleep.start), late: Nanos::new(late) })
        .collect()
}
