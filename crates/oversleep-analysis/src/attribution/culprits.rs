//! Sums up over a run who had the processor while sleepers waited.

use super::{Breakdown, Owner, PartKind};
use oversleep_recording::document::breakdown::real_time_class;
use oversleep_recording::document::trace::{Culprit, Named};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Returns every owner that had the processor while sleepers waited, and during which part, the most time first.
pub fn culprits(breakdowns: &[&Breakdown]) -> Vec<Culprit> {
    let mut sums: BTreeMap<(Named, PartKind), (Nanos, u64)> = BTreeMap::new();
    for breakdown in breakdowns {
        let mut own: BTreeMap<(Named, PartKind), Nanos> = BTreeMap::new();
        for part in &breakdown.parts {
            for (owner, time) in &part.owners {
                *own.entry((Named(name(owner)), part.kind)).or_default() += *time;
            }
        }
        for (key, time) in own {
            let sum = sums.entry(key).or_default();
            *sum = (sum.0.saturating_add(time), sum.1 + 1);
        }
    }
    let with = |((name, during), (time, sleeps))| Culprit { name, during, time, sleeps };
    let mut all: Vec<_> = sums.into_iter().map(with).collect();
    all.sort_by_key(|culprit| std::cmp::Reverse(culprit.time));
    all
}

/// Returns an owner's name; threads have no number in it, so that a pool of ten is one culprit.
pub fn name(owner: &Owner) -> String {
    match owner {
        Owner::Task { comm, prio, .. } => {
            real_time_class(*prio).map_or_else(|| comm.clone(), |class| format!("{comm} ({class})"))
        }
        Owner::Idle(_) => Owner::Idle(None).to_string(),
        other => other.to_string(),
    }
}
