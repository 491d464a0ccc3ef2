//! `stopped`: the thread was stopped or the machine suspended; the sleeps themselves were not slow.

use super::{At, Detection};
use crate::patterns::features::{Features, LatenessRule};
use oversleep_figures::quantile::place;
use oversleep_recording::document::evidence::Stopped;
use oversleep_recording::document::{Finding, Unit};
use oversleep_recording::plan::Policy;

/// Least lateness of a stop, in ns: smaller ones have other explanations.
const LEAST: i64 = 500_000_000;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let queues = matches!(features.rules[cell.group], LatenessRule::Queue(_) | LatenessRule::Waits);
        // A thread of the policy idle may wait as long for its turn.
        let obtained = features.groups[cell.group].obtained.as_ref();
        let is_idle = obtained.is_some_and(|obtained| obtained.policy == Some(Policy::Idle));
        if queues || is_idle || cell.sorted.len() < 20 {
            continue;
        }
        let usual = cell.quantile(0.9).max(1_000);
        let gaps = &cell.sorted[cell.sorted.partition_point(|&late| late < LEAST.max(usual.saturating_mul(100)))..];
        // A few, far beyond all other sleeps: many would be a load.
        let few = gaps.len() * 100 <= cell.sorted.len().max(300);
        if let (Some(least), Some(most), true) = (gaps.first(), gaps.last(), few) {
            let evidence = Stopped { times: gaps.len(), usual_late_ns: usual };
            let finding = Finding::new(evidence, gaps[place(gaps.len(), 0.5)] as f64, Unit::Nanoseconds)
                .between(*least as f64, *most as f64)
                .sure(0.8);
            seen.push((At::View(view), finding));
        }
    }
    seen
}
