//! `idle-exit`: the longer the sleep, the deeper the processor's idle state, and the longer the way out of it.

use super::{At, Cause, Seen};
use crate::analysis::diagnose::features::Features;
use crate::analysis::diagnose::features::steady::Steady;
use crate::analysis::diagnose::finding::{Finding, Unit};

pub(super) fn look(features: &Features<'_>) -> Vec<Seen> {
    let mut seen = Vec::new();
    for (view, cell) in features.views.iter().enumerate() {
        let Some(growth) = features.steady_of(view).and_then(growth) else { continue };
        let here = cell.quantile(0.5) as f64 - growth.shallow;
        if here > 0.5 * (growth.deep - growth.shallow) {
            let finding = Finding::new(Cause::IdleExit, here, Unit::Nanoseconds)
                .sure(0.7)
                .with("shortest_late_ns", growth.shallow)
                .with("longest_late_ns", growth.deep);
            seen.push((At::View(view), finding));
        }
    }
    seen
}

struct Growth {
    shallow: f64,
    deep: f64,
}

/// Lateness that at least doubles its cost from short sleeps to long, by 5 µs or more, and no faster than idle
/// states differ (1 ms). Less is seen on every kernel that stops its tick in idle.
fn growth(steady: &Steady) -> Option<Growth> {
    let [first, .., last] = steady.usual[..] else { return None };
    let slack = steady.slack.map_or(0.0, |slack| slack.size);
    let cost = (first.late - slack).max(1_000.0);
    let grown = last.late - first.late;
    let monotone = steady.usual.windows(2).filter(|pair| pair[1].late >= pair[0].late - 0.2 * grown).count();
    let grows = steady.share.is_none() && (5_000.0..1e6).contains(&grown) && grown > cost;
    (grows && steady.usual.len() >= 4 && monotone + 1 >= steady.usual.len())
        .then_some(Growth { shallow: first.late, deep: last.late })
}
