//! The time that a breakdown places but does not explain.

use super::usual::{Usual, straight_line};
use super::{Breakdown, PartKind};
use oversleep_sys::units::Nanos;

/// Of each complete breakdown, in order: time without a named cause.
///
/// Straight-line parts take a certain time on a machine; what exceeds the median of the sleeps like it (see `Usual`)
/// has no name. Neither have stretches whose owner is hidden or unknown, nor what a lower tier could not tell apart.
pub(super) fn unexplained(breakdowns: &[&Breakdown], usual: &Usual) -> Vec<Nanos> {
    let of = |(at, breakdown): (usize, &&Breakdown)| {
        let excess = straight_line().map(|kind| (breakdown.of(kind) - usual.time(at, kind)).max(Nanos::ZERO));
        excess.chain(nameless(breakdown)).sum()
    };
    breakdowns.iter().enumerate().map(of).collect()
}

fn nameless(breakdown: &Breakdown) -> impl Iterator<Item = Nanos> + '_ {
    breakdown.parts.iter().map(|part| match part.kind {
        PartKind::Rest | PartKind::NotYetRun => part.time,
        kind if kind.is_straight_line() => Nanos::ZERO,
        _ => part.owners.iter().filter(|(owner, _)| !owner.is_named()).map(|(_, time)| *time).sum(),
    })
}
