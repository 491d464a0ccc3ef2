//! `timer-slack`: the kernel may fire the thread's timers later by this time.

use super::{At, Detection, share_of};
use crate::patterns::features::Features;
use crate::patterns::parts;
use oversleep_recording::document::evidence::TimerSlack;
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let Some(steady) = features.steady_of(view) else { continue };
        let Some(slack) = steady.slack.filter(|_| cell.requested > 0) else { continue };
        let split = cell.series.iter().map(|&late| parts::split(features, view, late).slack as f64);
        let evidence = TimerSlack {
            usual_late_ns: steady.base,
            least_late_ns: steady.least,
            basis: slack.basis,
            system_rule: None,
        };
        let mut finding =
            Finding::new(evidence, slack.size, Unit::Nanoseconds).between(slack.low, slack.high).sure(slack.confidence);
        finding.share = share_of(split, &cell.series);
        seen.push((At::View(view), finding));
    }
    seen
}
