//! `proportional-slack`: sleeps may be late by a share of the request.

use super::{At, Seen, share_of};
use crate::analysis::patterns::features::Features;
use crate::analysis::patterns::parts;
use oversleep_recording::document::evidence::ProportionalSlack;
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Seen> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let Some(share) = features.steady_of(view).and_then(|steady| steady.share) else { continue };
        let stretch = parts::of(features, view, cell.quantile(0.5)).stretch;
        if stretch <= 0 {
            continue;
        }
        let split = cell.series.iter().map(|&late| parts::of(features, view, late).stretch as f64);
        let evidence =
            ProportionalSlack { ratio: share.ratio, stretch_ns: stretch, cap_ns: share.cap, system_rule: None };
        let mut finding = Finding::new(evidence, share.ratio, Unit::Ratio)
            .between(share.ratio - share.error, share.ratio + share.error)
            .sure(0.95);
        finding.share = share_of(split, &cell.series);
        seen.push((At::View(view), finding));
    }
    seen
}
