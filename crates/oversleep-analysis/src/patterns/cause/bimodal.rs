//! `bimodal`: two kinds of wake-up with different lateness alternate.

use super::{At, Detection};
use crate::patterns::features::{Features, LatenessRule};
use oversleep_figures::quantile::place;
use oversleep_recording::document::evidence::Bimodal;
use oversleep_recording::document::{Finding, Unit};

/// Largest difference, in ns, of two idle states, processors or paths: a larger one is a wait for a tick or a thread.
const FURTHEST: f64 = 300_000.0;

/// Fewest sleeps for which an empty range between two clusters is evidence.
const ENOUGH: usize = 100;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let ruled =
            matches!(features.rules[cell.group], LatenessRule::Tick(_) | LatenessRule::Queue(_) | LatenessRule::Waits);
        let open = matches!(features.rules[cell.group], LatenessRule::Unclear) && features.doubted(view);
        if ruled || open || cell.sorted.len() < ENOUGH || cell.requested <= 0 {
            continue;
        }
        if let Some((at, gap)) = gap(&cell.sorted) {
            let (low, high) = cell.sorted.split_at(at);
            let middle = |part: &[i64]| part[place(part.len(), 0.5)] as f64;
            let (low_mid, high_mid) = (middle(low), middle(high));
            if high_mid - low_mid > FURTHEST {
                continue;
            }
            let upper_share = high.len() as f64 / cell.sorted.len() as f64;
            let evidence = Bimodal { lower_ns: low_mid, upper_ns: high_mid, upper_share };
            let finding = Finding::new(evidence, high_mid - low_mid, Unit::Nanoseconds)
                .between(gap as f64, (cell.sorted[cell.sorted.len() - 1] - cell.sorted[0]) as f64)
                .sure(0.85);
            seen.push((At::View(view), finding));
        }
    }
    seen
}

/// Returns the index after the widest empty range with a tenth of the sleeps on either side, and its width in ns, if it
/// exceeds twice the middle half of either cluster, 10 µs, and a quarter of the median.
fn gap(sorted: &[i64]) -> Option<(usize, i64)> {
    let tenth = sorted.len() / 10;
    let at = (tenth..sorted.len() - tenth).max_by_key(|&at| sorted[at] - sorted[at - 1])?;
    let width = sorted[at] - sorted[at - 1];
    let crowd = |part: &[i64]| part[place(part.len(), 0.75)] - part[place(part.len(), 0.25)];
    let (low, high) = sorted.split_at(at);
    let median = sorted[place(sorted.len(), 0.5)];
    let wide = width > 2 * crowd(low).max(crowd(high)) && width > 10_000 && width > median.abs() / 4;
    wide.then_some((at, width))
}
