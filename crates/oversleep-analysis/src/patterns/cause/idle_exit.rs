//! `idle-exit`: in a longer sleep the processor enters a deeper idle state, which takes longer to leave.

use super::{At, Detection};
use crate::patterns::features::steady::Steady;
use crate::patterns::features::{Features, idle};
use oversleep_recording::document::evidence::IdleExit;
use oversleep_recording::document::{Finding, Unit};

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let Some(growth) = features.steady_of(view).and_then(Steady::growth) else { continue };
        let here = cell.quantile(0.5) as f64 - growth.shallow;
        if here > 0.5 * (growth.deep - growth.shallow) {
            let evidence = IdleExit {
                shortest_late_ns: growth.shallow,
                longest_late_ns: growth.deep,
                idle: idle::deepest(features, view),
            };
            seen.push((At::View(view), Finding::new(evidence, here, Unit::Nanoseconds).sure(0.7)));
        }
    }
    seen
}
