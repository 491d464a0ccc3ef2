//! The time in a breakdown that has no known cause.

use super::usual::{UsualPartTimes, straight_line};
use super::{Breakdown, PartKind};
use oversleep_sys::units::Nanos;

/// Returns the time without a known cause of each complete breakdown, in order.
///
/// Straight-line parts take a certain time on a machine; what exceeds the median of similar sleeps (see `UsualPartTimes`)
/// is unexplained. So is the time of hidden or unknown owners, and what a lower tier could not split.
pub(super) fn unexplained(breakdowns: &[&Breakdown], usual: &UsualPartTimes) -> Vec<Nanos> {
    let of = |(at, breakdown): (usize, &&Breakdown)| {
        let excess = straight_line().map(|kind| (breakdown.total(kind) - usual.time(at, kind)).max(Nanos::ZERO));
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
