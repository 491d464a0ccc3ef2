//! `first-call`: the first calls of a method are slower than all that follow.

use super::{At, Detection};
use crate::patterns::features::group::{Sleep, View};
use crate::patterns::features::{Features, LatenessRule};
use oversleep_figures::quantile::place;
use oversleep_recording::document::evidence::FirstCall;
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let first = features.groups[cell.group].views.first() == Some(&view);
        if !first
            || !matches!(
                features.rules[cell.group],
                LatenessRule::Steady(_) | LatenessRule::Unclear | LatenessRule::Few
            )
        {
            continue;
        }
        // A slow start that lasts for seconds is not due to cold caches.
        let soon = |calls: usize| {
            let own: Vec<&Sleep> =
                features.groups[cell.group].sleeps.iter().filter(|sleep| sleep.view == view).take(calls).collect();
            own.first().zip(own.last()).is_none_or(|(first, last)| last.end - first.start < SOON)
        };
        if let Some((calls, late, usual)) = slow_start(cell).filter(|(calls, ..)| soon(*calls)) {
            let evidence = FirstCall { calls, late_ns: late, usual_late_ns: usual };
            seen.push((At::View(view), Finding::new(evidence, late - usual, Unit::Nanoseconds).sure(0.9)));
        }
    }
    seen
}

/// Longest time that first calls take together, in ns.
const SOON: f64 = 2e9;
/// Returns the number of slow calls at the start, their median lateness and that of the cell, in ns. They are at least
/// three, each later than the cell's 90th percentile by half its median (at least 5 µs): by chance once in a thousand.
fn slow_start(cell: &View<'_>) -> Option<(usize, f64, f64)> {
    if cell.series.len() < 20 {
        return None;
    }
    let bound = cell.quantile(0.9).saturating_add((cell.quantile(0.5) / 2).max(5_000));
    let calls = cell.series.iter().take_while(|late| **late > bound).count();
    let mut slow = cell.series[..calls].to_vec();
    slow.sort_unstable();
    let late = *slow.get(place(calls, 0.5))?;
    (calls >= 3 && calls * 10 < cell.series.len()).then(|| (calls, late as f64, cell.quantile(0.5) as f64))
}
