//! `proportional-slack`: sleeps may be late by a share of the request.

use super::{At, Detection, share_of};
use crate::patterns::features::Features;
use crate::patterns::parts;
use oversleep_recording::document::evidence::ProportionalSlack;
use oversleep_recording::document::{Finding, Unit};
use oversleep_recording::plan::Pattern;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let Some(share) = features.steady_of(view).and_then(|steady| steady.share) else { continue };
        let stretch = parts::split(features, view, cell.quantile(0.5)).stretch;
        if stretch <= 0 {
            continue;
        }
        let split = cell.series.iter().map(|&late| parts::split(features, view, late).stretch as f64);
        let evidence =
            ProportionalSlack { ratio: share.ratio, stretch_ns: stretch, cap_ns: share.cap, system_rule: None };
        let mut finding = Finding::new(evidence, share.ratio, Unit::Ratio)
            .between(share.ratio - share.error, share.ratio + share.error)
            .sure(0.95);
        finding.share = share_of(split, &cell.series).map(|all| of_each(features, view).unwrap_or(all));
        seen.push((At::View(view), finding));
    }
    seen
}

/// Returns the share of a cell's lateness that grows with the request, computed from each sleep's own request.
fn of_each(features: &Features<'_>, view: usize) -> Option<f64> {
    let (cell, steady) = (&features.views[view], features.steady_of(view)?);
    if !matches!(cell.cell.pattern, Pattern::Random { .. }) {
        return None;
    }
    let sleeps = features.groups[cell.group].sleeps.iter().filter(|sleep| sleep.view == view);
    share_of(sleeps.map(|sleep| steady.stretched(sleep.requested).min(sleep.late.max(0.0))), &cell.series)
}
