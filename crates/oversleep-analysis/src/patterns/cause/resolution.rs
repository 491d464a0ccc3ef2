//! `change-point` on Windows: the timer's resolution was changed while the recording ran, so sleeps end at other ticks
//! from that moment on.

use super::systems::{System, resolution};
use super::{At, Detection};
use crate::patterns::features::grid::Grid;
use crate::patterns::features::group::Sleep;
use crate::patterns::features::robust::median;
use crate::patterns::features::tick;
use crate::patterns::features::{Features, LatenessRule};
use oversleep_recording::document::evidence::{ChangePoint, Resolutions};
use oversleep_recording::document::{Finding, Unit};

/// Number of sleeps on either side in which a tick is searched.
const BESIDE: usize = 40;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    if System::of(features) != Some(System::Windows) {
        return Vec::new();
    }
    let mut seen = Vec::new();
    for (group, rule) in features.groups.iter().zip(&features.rules) {
        // A tick that nearly all sleeps keep was not changed.
        let one = matches!(rule, LatenessRule::Tick(tick) if tick.grid.is_some_and(|grid| grid.on_grid >= 0.85));
        if one || matches!(rule, LatenessRule::Queue(_) | LatenessRule::Waits) {
            continue;
        }
        if let Some(finding) = change(&group.timed()) {
            seen.extend(group.views.iter().map(|&view| (At::View(view), finding.clone())));
        }
    }
    seen
}

/// Returns the change, if the first sleeps and the last keep ticks of different resolutions.
fn change(sleeps: &[Sleep]) -> Option<Finding> {
    if sleeps.len() < 2 * BESIDE {
        return None;
    }
    let grid = |part: &[Sleep]| {
        let grid = tick::find(part, false)?.grid?;
        resolution(grid.tick).map(|(length, _)| (grid, length))
    };
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
