//! `constant-cost`: what every wake-up costs, without waits for ticks, slack and queues.

use super::{At, Detection, share_of};
use crate::patterns::features::methods::slackless;
use crate::patterns::features::{Features, LatenessRule, idle};
use crate::patterns::parts;
use oversleep_recording::document::evidence::ConstantCost;
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        if !matches!(features.rules[cell.group], LatenessRule::Steady(_) | LatenessRule::Tick(_))
            || features.doubted(view)
        {
            continue;
        }
        let cost = parts::split(features, view, cell.quantile(0.5)).cost;
        // A cell that is usually less late than others cost has another cost.
        if cost <= 0 || cost > 2 * cell.quantile(0.5) {
            continue;
        }
        let slackless = slackless(&features.groups[cell.group]);
        let split = cell.series.iter().map(|&late| parts::split(features, view, late).cost as f64);
        let steady = features.steady_of(view).filter(|_| cell.requested > 0);
        let evidence =
            ConstantCost { usual_late_ns: steady.map(|steady| steady.base), idle: idle::deepest(features, view) };
        let mut finding = Finding::new(evidence, cost as f64, Unit::Nanoseconds).sure(0.9);
        if let Some(steady) = steady {
            // All of it may be slack, but for threads and methods that have none.
            let least = if slackless { steady.least.min(cost as f64) } else { 0.0 };
            finding = finding.between(least.max(0.0), steady.cost.max(cost as f64));
        }
        if let (LatenessRule::Tick(_), true) = (&features.rules[cell.group], cell.requested > 0) {
            let (low, high) = parts::cost_under_tick(features, cell.group).between;
            finding = finding.between(low as f64, high as f64);
        }
        if slackless {
            // The only confounder is the slack.
            finding.confounders.clear();
        }
        finding.share = share_of(split, &cell.series);
        seen.push((At::View(view), finding));
    }
    seen
}
