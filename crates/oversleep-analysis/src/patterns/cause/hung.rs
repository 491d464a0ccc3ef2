//! `hung`: sleeps that never ended, as noted in the recording.

use super::{At, Detection};
use crate::patterns::features::Features;
use oversleep_recording::document::evidence::Hung;
use oversleep_recording::document::{Finding, Unit};
use std::collections::BTreeSet;

pub(super) fn detect(features: &Features<'_>) -> Vec<Detection> {
    let sleeps = &features.recording.note.hung;
    let requests = || sleeps.iter().map(|sleep| sleep.requested.get());
    let (Some(shortest_ns), Some(longest_ns)) = (requests().min(), requests().max()) else { return Vec::new() };
    let hung: BTreeSet<(u32, u16)> = sleeps.iter().map(|sleep| (sleep.cell, sleep.thread)).collect();
    let cells = &features.recording.meta.plan.cells;
    let threads: usize = cells.iter().map(|cell| usize::from(cell.conditions.threads.unwrap_or(1).max(1))).sum();
    let evidence = Hung { hung: hung.len(), threads: threads.max(hung.len()), shortest_ns, longest_ns };
    let share = evidence.hung as f64 / evidence.threads as f64;
    // Not an estimate: the recording notes each of them.
    vec![(At::Machine, Finding::new(evidence, share, Unit::Share).sure(1.0))]
}
