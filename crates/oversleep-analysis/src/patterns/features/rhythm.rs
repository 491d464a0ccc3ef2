//! Sleeps that start just after the previous wake-up, as in most programs: whether their ends move with their starts.

use super::group::{Group, Sleep};
use super::robust::{line, median};
use std::collections::BTreeMap;

/// Returns whether the times from wake-up to wake-up are nearly equal: 80 % of them within 2 % of the median.
pub(in crate::patterns) fn one_rhythm(timed: &[Sleep]) -> bool {
    let gaps: Vec<f64> = timed.windows(2).map(|pair| pair[1].end - pair[0].end).collect();
    let Some(usual) = median(&gaps) else { return false };
    let alike = gaps.iter().filter(|gap| (**gap - usual).abs() < 0.02 * usual).count();
    alike * 10 >= gaps.len() * 8
}

/// Returns whether most cells with at least three sleeps keep such a rhythm.
pub(super) fn most_cells_have_one(group: &Group) -> bool {
    let cells: Vec<bool> = by_view(group).iter().filter(|own| own.len() > 2).map(|own| one_rhythm(own)).collect();
    2 * cells.iter().filter(|one| **one).count() > cells.len()
}

/// Largest slope of lateness over start that shows a grid. On a grid whose wake-ups alone scatter, it is −1/2.
const FOLLOWED: f64 = -0.25;
/// Least distance of that slope from zero, in standard errors.
const CLEARLY: f64 = 5.0;

/// Returns whether a sleep that starts later than usual is less late by as much: its end stays in place, as at ticks.
///
/// A cost is added wherever a sleep starts, so lateness does not depend on when the previous sleep ended. At ticks, the
/// scatter of the previous end shortens the next wait. This test needs no rate and finds none.
pub(super) fn ends_keep_places(group: &Group) -> bool {
    let points: Vec<(f64, f64)> = by_view(group).iter().flat_map(|own| about_their_medians(own)).collect();
    line(&points).is_some_and(|line| line.slope < FOLLOWED && line.slope < -CLEARLY * line.error)
}

fn by_view(group: &Group) -> Vec<Vec<Sleep>> {
    let mut parts: BTreeMap<usize, Vec<Sleep>> = BTreeMap::new();
    for sleep in group.timed() {
        parts.entry(sleep.view).or_default().push(sleep);
    }
    parts.into_values().collect()
}

/// Returns for each sleep, in ns relative to the medians: its start after the previous sleep was due, and its lateness.
fn about_their_medians(sleeps: &[Sleep]) -> Vec<(f64, f64)> {
    let pairs = sleeps
        .windows(2)
        .filter(|pair| pair[0].thread == pair[1].thread && pair[0].requested.total_cmp(&pair[1].requested).is_eq());
    let points: Vec<(f64, f64)> = pairs.map(|pair| (pair[1].start - pair[0].due, pair[1].late)).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let (Some(x), Some(y)) = (median(&x), median(&y)) else { return Vec::new() };
    points.into_iter().map(|point| (point.0 - x, point.1 - y)).collect()
}
