//! `change-point`: the level of lateness changed at some moment.

use super::{At, Detection};
use crate::patterns::features::robust::{median, spread};
use crate::patterns::features::{Features, LatenessRule};
use oversleep_recording::document::evidence::ChangePoint;
use oversleep_recording::document::{Finding, Unit};

/// Fewest sleeps on either side.
const BESIDE: usize = 30;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let ruled =
            matches!(features.rules[cell.group], LatenessRule::Tick(_) | LatenessRule::Queue(_) | LatenessRule::Waits);
        let open = matches!(features.rules[cell.group], LatenessRule::Unclear) && features.doubted(view);
        if ruled || open || cell.series.len() < 3 * BESIDE || cell.requested <= 0 {
            continue;
        }
        let step = cell.series.len().div_ceil(20_000).max(1);
        let series: Vec<f64> = cell.series.iter().step_by(step).map(|&late| late as f64).collect();
        if let Some((at, before, after)) = change(&series) {
            let evidence = ChangePoint {
                sleep: (at * step) as u64,
                before_ns: before,
                after_ns: after,
                resolutions: None,
                system_rule: None,
            };
            seen.push((At::View(view), Finding::new(evidence, after - before, Unit::Nanoseconds).sure(0.9)));
        }
    }
    seen
}

/// Least distance of the running sum from zero, in standard deviations of that of signs in random order.
const BEYOND_CHANCE: f64 = 4.5;

/// Returns the index at which the running sum of signs about the median strays furthest (after Pettitt's test), and the
/// medians before and after, if it strays further than two values in random order would have it, and the medians differ by
/// more than 10 µs, 30 % and six spreads.
fn change(series: &[f64]) -> Option<(usize, f64, f64)> {
    let middle = median(series)?;
    let mut sum = 0i64;
    let strays = series.iter().map(|late| {
        sum += i64::from(*late > middle) - i64::from(*late < middle);
        sum.abs()
    });
    let (at, stray) = strays.enumerate().max_by_key(|(_, stray)| *stray)?;
    let at = at + 1;
    if at < BESIDE || series.len() - at < BESIDE {
        return None;
    }
    let (before, all) = (at as f64, series.len() as f64);
    if (stray as f64) < BEYOND_CHANCE * (before * (all - before) / all).sqrt() {
        return None;
    }
    let (before, after) = series.split_at(at);
    let (low, high) = (median(before)?, median(after)?);
    let noise = spread(before, low).max(spread(after, high));
    let by = (high - low).abs();
    (by > 10_000.0 && by > 0.3 * low.abs().min(high.abs()) && by > 6.0 * noise).then_some((at, low, high))
}
