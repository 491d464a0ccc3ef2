//! Chooses which cells are compared with each other.

use oversleep_recording::plan::Cell;
use oversleep_recording::plan::intervene::{Change, beside_neighbour, counterpart};

/// A variant, the cell that it is compared with, and the difference between them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Contrast {
    pub(super) cell: u32,
    pub(super) reference: u32,
    pub(super) change: Change,
    /// The change by which both differ from the baseline, if any.
    pub(super) given: Option<Change>,
}

/// Returns every comparison of single changes; the first cell is the baseline.
pub(super) fn all(cells: &[Cell]) -> Vec<Contrast> {
    let Some((base, variants)) = cells.split_first() else { return Vec::new() };
    // Counterparts of slack variants, and those of the neighbour, are compared elsewhere (`elsewhere`, `awake`).
    let slacks = variants.iter().filter_map(|variant| match Change::between(base, variant)[..] {
        [Change::Slack { slack_ns }] => slack_ns,
        _ => None,
    });
    let others: Vec<u32> = slacks.filter_map(|slack| counterpart(base, slack, variants)).map(|cell| cell.id).collect();
    let has_neighbour = |cell: &Cell| cell.conditions.load != base.conditions.load && !beside_neighbour(base, cell);
    let kept = variants.iter().filter(|cell| !others.contains(&cell.id) && !has_neighbour(cell));
    let variants: &[Cell] = &kept.cloned().collect::<Vec<_>>();
    let against_base = variants.iter().map(|variant| find_contrast(base, variants, variant));
    against_base.flatten().chain(real_time_without_slack(base, variants)).collect()
}

/// Compares a variant with the baseline if one thing differs, otherwise with a variant from which one thing differs.
fn find_contrast(base: &Cell, variants: &[Cell], variant: &Cell) -> Option<Contrast> {
    let contrast = |reference: &Cell, given| match &Change::between(reference, variant)[..] {
        [change] => Some(Contrast { cell: variant.id, reference: reference.id, change: change.clone(), given }),
        _ => None,
    };
    contrast(base, None).or_else(|| {
        variants.iter().filter(|other| other.id < variant.id).find_map(
            |other| match &Change::between(base, other)[..] {
                [given] => contrast(other, Some(given.clone())),
                _ => None,
            },
        )
    })
}

/// Compares a real-time policy with the least slack: the policy removes the slack too (kernel/time/hrtimer.c,
/// `hrtimer_nanosleep`), so this shows its other effects. Where the baseline is real-time, it has no slack either.
fn real_time_without_slack(base: &Cell, variants: &[Cell]) -> Option<Contrast> {
    if base.conditions.is_real_time() {
        return None;
    }
    let slackless = variants.iter().find(|cell| {
        cell.conditions.timer_slack.is_some_and(|slack| slack.get() == 1)
            && matches!(Change::between(base, cell)[..], [Change::Slack { .. }])
    })?;
    let [given] = &Change::between(base, slackless)[..] else { return None };
    variants.iter().find_map(|cell| match &Change::between(base, cell)[..] {
        [change @ Change::Policy { policy: Some(policy) }] if policy.is_real_time() => Some(Contrast {
            cell: cell.id,
            reference: slackless.id,
            change: change.clone(),
            given: Some(given.clone()),
        }),
        _ => None,
    })
}
