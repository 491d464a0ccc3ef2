//! `change-point` on Windows: the timer's resolution was changed while the recording ran, so sleeps end at other ticks
//! from that moment on.

use super::systems::{RESOLUTIONS, System};
use super::{At, Detection};
use crate::patterns::features::grid::{Grid, fit};
use crate::patterns::features::group::Sleep;
use crate::patterns::features::robust::median;
use crate::patterns::features::tick::REACH;
use crate::patterns::features::{Features, LatenessRule};
use oversleep_recording::document::evidence::{ChangePoint, Resolutions};
use oversleep_recording::document::{Finding, Unit};

/// Number of sleeps on either side in which a tick is searched.
const BESIDE: usize = 40;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    if System::new(features) != Some(System::Windows) {
        return Vec::new();
    }
    let mut seen = Vec::new();
    for ((group, rule), slide) in features.groups.iter().zip(&features.rules).zip(&features.slides) {
        // A tick that nearly all sleeps keep was not changed; what slides at a steady rhythm fits ticks of many lengths.
        let one = matches!(rule, LatenessRule::Tick(tick) if tick.grid.is_some_and(|grid| grid.on_grid >= AT_TICKS));
        if one || slide.is_some() || matches!(rule, LatenessRule::Queue(_) | LatenessRule::Waits) {
            continue;
        }
        if let Some(finding) = change(&group.timed()) {
            seen.extend(group.views.iter().map(|&view| (At::View(view), finding.clone())));
        }
    }
    seen
}

/// Least share of the sleeps at a resolution's ticks, and by how much their mean vector must be longer than that of the due times.
const AT_TICKS: f64 = 0.85;
const BEYOND_DUES: f64 = 0.2;

/// Returns the grid of the coarsest resolution that sleeps keep, and its nominal length in ns.
fn grid(part: &[Sleep]) -> Option<(Grid, f64)> {
    let ends: Vec<f64> = part.iter().map(|sleep| sleep.end).collect();
    let dues: Vec<f64> = part.iter().map(|sleep| sleep.due).collect();
    let kept = |&(length, _): &(f64, &str)| {
        let is_kept = |grid: &Grid| grid.on_grid >= AT_TICKS && grid.wakes >= grid.dues + BEYOND_DUES;
        fit(&ends, &dues, 1e9 / length, REACH).filter(is_kept).map(|grid| (grid, length))
    };
    RESOLUTIONS.iter().find_map(kept)
}

/// Returns the change, if the first sleeps and the last keep ticks of different resolutions.
fn change(sleeps: &[Sleep]) -> Option<Finding> {
    if sleeps.len() < 2 * BESIDE {
        return None;
    }
    let ((first, before), (last, after)) = (grid(&sleeps[..BESIDE])?, grid(&sleeps[sleeps.len() - BESIDE..])?);
    let on = |grid: &Grid, sleep: &Sleep| grid.holds(sleep.end);
    // At the change, more sleeps before keep the first tick, and more after keep the last, than anywhere else.
    let mut score = 0i64;
    let scores = sleeps.iter().map(|sleep| {
        score += i64::from(on(&first, sleep)) - i64::from(on(&last, sleep));
        score
    });
    let (at, _) = scores.enumerate().max_by_key(|(_, score)| *score)?;
    let (early, late) = sleeps.split_at(at + 1);
    let keeps =
        |grid: &Grid, part: &[Sleep]| part.iter().filter(|sleep| on(grid, sleep)).count() * 10 >= part.len() * 7;
    if (before / after - 1.0).abs() < 0.1 || late.len() < BESIDE / 2 || !keeps(&first, early) || !keeps(&last, late) {
        return None;
    }
    let middle = |part: &[Sleep]| median(&part.iter().map(|sleep| sleep.late).collect::<Vec<_>>());
    let (low, high) = (middle(early)?, middle(late)?);
    let evidence = ChangePoint {
        sleep: (at + 1) as u64,
        before_ns: low,
        after_ns: high,
        resolutions: Some(Resolutions { resolution_before_ns: before, resolution_after_ns: after }),
        system_rule: Some(
            "the timer's resolution changed: a process called timeBeginPeriod or timeEndPeriod".to_owned(),
        ),
    };
    Some(Finding::new(evidence, high - low, Unit::Nanoseconds).sure(0.9))
}
