//! `run-queue`: the timer was on time, but the thread waited while others used up their quanta.

use super::{At, Detection};
use crate::patterns::features::{Features, LONG_YIELD, LatenessRule};
use oversleep_recording::document::evidence::{Quanta, RunQueue};
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = waits(features);
    for (view, cell) in features.views.iter().enumerate() {
        let Some(queue) = features.queue_of(view) else { continue };
        let late = cell.quantile(0.5) as f64;
        let quanta = Quanta {
            quantum_ns: queue.quantum,
            quantum_error_ns: queue.error,
            threads: queue.threads,
            longest_wait_ns: queue.quantum * f64::from(queue.threads),
        };
        let mut finding =
            Finding::new(RunQueue { quanta: Some(quanta), turn_ns: None, load: None }, late, Unit::Nanoseconds)
                .between(cell.quantile(0.025) as f64, cell.quantile(0.975) as f64)
                .sure(0.97);
        finding.share = Some(1.0);
        seen.push((At::View(view), finding));
    }
    seen
}

/// Finds yields that take long, and sleeps beside them that are as late, where no quantum shows.
fn waits(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let group = &features.groups[cell.group];
        let late = cell.quantile(0.5);
        let queued =
            matches!(features.rules[cell.group], LatenessRule::Waits) || (group.yields() && late >= LONG_YIELD);
        if !queued || features.queue_of(view).is_some() || cell.sorted.len() < 5 {
            continue;
        }
        let load = features.beside[view].clone();
        // The wait is what busy threads add to the same sleeps without them, or else all of the lateness.
        let without = load.as_ref().map_or(0, |load| load.without_ns);
        let share = load.as_ref().map(|_| (1.0 - without as f64 / late.max(1) as f64).clamp(0.0, 1.0));
        let evidence = RunQueue { quanta: None, turn_ns: Some(late), load };
        let mut finding = Finding::new(evidence, (late - without).max(0) as f64, Unit::Nanoseconds)
            .between((cell.quantile(0.25) - without).max(0) as f64, (cell.quantile(0.75) - without).max(0) as f64);
        finding.share = Some(share.unwrap_or(1.0));
        seen.push((At::View(view), finding));
    }
    seen
}
