//! The time that a breakdown places but does not explain.

use super::model::{Breakdown, PartKind};
use crate::analysis::quantile::{Fraction, of_sorted};
use oversleep_os::units::Nanos;

/// Of each complete breakdown, in order: time without a named cause.
///
/// Straight-line parts take a certain time on a machine; what exceeds the run's own median has no name. Neither have
/// stretches whose owner is hidden or unknown, nor what a lower tier could not tell apart.
pub fn unexplained(breakdowns: &[&Breakdown]) -> Vec<Nanos> {
    let usual: Vec<_> = straight().map(|kind| (kind, median(breakdowns, kind))).collect();
    breakdowns.iter().map(|breakdown| of(breakdown, &usual)).collect()
}

fn straight() -> impl Iterator<Item = PartKind> {
    PartKind::ALL.iter().copied().filter(|kind| kind.is_straight_line())
}

fn median(breakdowns: &[&Breakdown], kind: PartKind) -> Nanos {
    let mut times: Vec<i64> = breakdowns.iter().map(|breakdown| breakdown.of(kind).get()).collect();
    times.sort_unstable();
    of_sorted(&times, Fraction::P50).map_or(Nanos::ZERO, Nanos::new)
}

fn of(breakdown: &Breakdown, usual: &[(PartKind, Nanos)]) -> Nanos {
    let excess = usual.iter().map(|(kind, usual)| (breakdown.of(*kind) - *usual).max(Nanos::ZERO));
    let nameless = breakdown.parts.iter().map(|part| match part.kind {
        PartKind::Rest | PartKind::NotYetRun => part.time,
        kind if kind.is_straight_line() => Nanos::ZERO,
        _ => part.owners.iter().filter(|(owner, _)| !owner.is_named()).map(|(_, time)| *time).sum(),
    });
    excess.chain(nameless).sum()
}
