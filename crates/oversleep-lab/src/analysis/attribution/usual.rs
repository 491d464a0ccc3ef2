//! How long straight-line work usually takes, among sleeps whose processor was as hard to wake.
//!
//! A processor that takes long to leave idle is slow afterwards too: its caches, its translations and its clock have
//! gone meanwhile, and a hypervisor may have run something else on it. Seen here (Linux 6.18, KVM): where the
//! interrupt was 14 µs late the return took 1.3 µs, where it was 60 µs late 8.4 µs. So what a part takes longer in the
//! sleeps whose interrupt was as late has a name; only what it takes beyond those has none.

use super::{Breakdown, Owner, PartKind};
use crate::figures::quantile;
use oversleep_recording::document::trace::{Culprit, Named};
use oversleep_sys::units::Nanos;

/// Sleeps that are compared with each other: enough that one sleep does not rule their median.
const ALIKE: usize = 50;

/// The usual time of straight-line parts, by sleep.
pub(super) struct Usual {
    run: Times,
    groups: Vec<Times>,
    group_of: Vec<Option<usize>>,
}

type Times = Vec<(PartKind, Nanos)>;

impl Usual {
    /// Of the sleeps of one run.
    pub(super) fn of(breakdowns: &[&Breakdown]) -> Self {
        let mut idle: Vec<(Nanos, usize)> =
            breakdowns.iter().enumerate().filter_map(|(at, breakdown)| Some((leaving_idle(breakdown)?, at))).collect();
        idle.sort_unstable();
        let (mut groups, mut group_of) = (Vec::new(), vec![None; breakdowns.len()]);
        let count = idle.len() / ALIKE;
        for number in 0..count {
            let members = &idle[number * idle.len() / count..(number + 1) * idle.len() / count];
            let alike: Vec<&Breakdown> = members.iter().map(|&(_, at)| breakdowns[at]).collect();
            groups.push(medians(&alike));
            for &(_, at) in members {
                group_of[at] = Some(number);
            }
        }
        Self { run: medians(breakdowns), groups, group_of }
    }

    /// What a part usually takes in the sleeps like this one.
    pub(super) fn time(&self, sleep: usize, kind: PartKind) -> Nanos {
        // Entering the kernel comes before the processor idles.
        let group = self.group_of[sleep].filter(|_| kind != PartKind::Entry);
        find(group.map_or(&self.run, |group| &self.groups[group]), kind)
    }

    /// What a part took longer than in the run at large because the processor came out of a deep idle.
    pub(super) fn cold(&self, sleep: usize, kind: PartKind, took: Nanos) -> Nanos {
        (took.min(self.time(sleep, kind)) - find(&self.run, kind)).max(Nanos::ZERO)
    }

    /// The cold processors of a run, among its culprits.
    pub(super) fn culprits(&self, breakdowns: &[&Breakdown]) -> Vec<Culprit> {
        let of = |during: PartKind| {
            let cold = breakdowns.iter().enumerate().map(|(at, breakdown)| self.cold(at, during, breakdown.of(during)));
            let cold: Vec<Nanos> = cold.filter(|time| *time > Nanos::ZERO).collect();
            let (sleeps, time) = (cold.len() as u64, cold.into_iter().sum());
            Culprit { name: Named("processor cold after idle".to_owned()), during, time, sleeps }
        };
        straight_line().map(of).filter(|culprit| culprit.sleeps > 0).collect()
    }
}

/// How late the interrupt was, where it found the processor idle.
fn leaving_idle(breakdown: &Breakdown) -> Option<Nanos> {
    let late = breakdown.parts.iter().find(|part| part.kind == PartKind::IrqLate)?;
    late.owners.iter().any(|(owner, _)| matches!(owner, Owner::Idle(_))).then_some(late.time)
}

/// The kinds of straight-line parts.
pub(super) fn straight_line() -> impl Iterator<Item = PartKind> {
    PartKind::ALL.iter().copied().filter(|kind| kind.is_straight_line())
}

fn medians(breakdowns: &[&Breakdown]) -> Times {
    straight_line().map(|kind| (kind, median(breakdowns, kind))).collect()
}

fn median(breakdowns: &[&Breakdown], kind: PartKind) -> Nanos {
    quantile::median(breakdowns.iter().map(|breakdown| breakdown.of(kind)).collect()).unwrap_or(Nanos::ZERO)
}

fn find(times: &Times, kind: PartKind) -> Nanos {
    times.iter().find(|(of, _)| *of == kind).map_or(Nanos::ZERO, |(_, time)| *time)
}
