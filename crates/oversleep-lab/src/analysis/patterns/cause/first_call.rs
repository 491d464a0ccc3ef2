//! `first-call`: the first calls of a method are slower than all that follow.

use super::{At, Seen};
use crate::analysis::patterns::features::group::{Sleep, View};
use crate::analysis::patterns::features::{Features, Rule};
use crate::figures::quantile::place;
use oversleep_recording::document::evidence::FirstCall;
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Seen> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let first = features.groups[cell.group].views.first() == Some(&view);
        if !first || !matches!(features.rules[cell.group], Rule::Steady(_) | Rule::Unclear | Rule::Few) {
            continue;
        }
        // What slows down calls for seconds is no cold cache.
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

/// How long first calls last at most, in ns.
const SOON: f64 = 2e9;
/// At least three calls at the start, each later than nine in ten of the rest and by half as much again: by chance
/// once in a thousand. Their number, their median, and the rest's.
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
