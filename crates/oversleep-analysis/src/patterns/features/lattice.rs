//! Time stamps of a clock that counts in a unit of any length: also one of no whole number of nanoseconds (32768 Hz,
//! 18.2 Hz), of which differences between stamps have no common divisor.

use super::group::Sleep;
use std::collections::BTreeSet;

/// Shortest unit, in ns, that matters: costs of waking scatter by more.
const SHORTEST: f64 = 10_000.0;
/// Largest distance, in ns, of a difference between two rounded stamps from whole units.
const ROUNDED: f64 = 2.0;
/// Fewest differences, and fewest of them that differ in their number of units.
const ENOUGH: usize = 12;
const VARIED: usize = 3;
/// Most units that the shortest difference is taken to be.
const MOST: u32 = 12;

/// Returns the longest unit, in ns, in which starts and ends alike were counted; `None` on a finer clock.
pub(super) fn unit(sleeps: &[Sleep]) -> Option<f64> {
    let mut times: Vec<f64> = sleeps.iter().flat_map(|sleep| [sleep.start, sleep.end]).collect();
    times.sort_by(f64::total_cmp);
    let mut gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > ROUNDED).collect();
    gaps.sort_by(f64::total_cmp);
    let least = *gaps.first().filter(|_| gaps.len() >= ENOUGH)?;
    (1..=MOST)
        .map(|units| least / f64::from(units))
        .take_while(|unit| *unit >= SHORTEST)
        .find_map(|unit| fit(&gaps, unit))
}

/// Returns the unit near `about` of which all gaps, shortest first, are multiples; each longer gap measures it better.
fn fit(gaps: &[f64], about: f64) -> Option<f64> {
    let mut unit = about;
    let mut counts = BTreeSet::new();
    for gap in gaps {
        let units = (gap / unit).round();
        // A unit known from a gap of n units is off by less than the rounding of its ends over n.
        let known = counts.last().map_or(1.0, |most: &u64| *most as f64);
        if units < 1.0 || (gap - units * unit).abs() > ROUNDED * (1.0 + units / known) {
            return None;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a positive whole number
        if counts.insert(units as u64) && units > known {
            unit = gap / units;
        }
    }
    (counts.len() >= VARIED).then_some(unit)
}
