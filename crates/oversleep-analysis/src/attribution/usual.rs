//! The usual time of straight-line work, among sleeps whose processor took about as long to leave idle.
//!
//! A processor that takes long to leave idle is slow afterwards too: it has lost its caches, its address translations
//! and its clock rate, and a hypervisor may have run something else on it. Seen here (Linux 6.18, KVM): where the
//! interrupt was 14 µs late the return took 1.3 µs, where it was 60 µs late 8.4 µs. So the additional time of a part is
//! explained as far as sleeps with an equally late interrupt have it too; only the rest is unexplained.

use super::{Breakdown, Owner, PartKind};
use oversleep_figures::quantile;
use oversleep_recording::document::trace::{Culprit, Named};
use oversleep_sys::units::Nanos;

/// Size of a group of sleeps that are compared: large enough that one sleep hardly changes its median.
const ALIKE: usize = 50;

/// The usual times of straight-line parts: of the whole run, and of the groups of similar sleeps.
pub(super) struct UsualPartTimes {
    run: Times,
    groups: Vec<Times>,
    group_of: Vec<Option<usize>>,
}

type Times = Vec<(PartKind, Nanos)>;

impl UsualPartTimes {
    /// Computes the usual times from the sleeps of one run.
    pub(super) fn compute(breakdowns: &[&Breakdown]) -> Self {
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

    /// Returns the usual time of a part in sleeps similar to this one.
    pub(super) fn time(&self, sleep: usize, kind: PartKind) -> Nanos {
        // The part `Entry` precedes idling.
        let group = self.group_of[sleep].filter(|_| kind != PartKind::Entry);
        find(group.map_or(&self.run, |group| &self.groups[group]), kind)
    }

    /// Returns how much longer a part took than in the whole run because the processor left a deep idle state.
    pub(super) fn cold(&self, sleep: usize, kind: PartKind, took: Nanos) -> Nanos {
        (took.min(self.time(sleep, kind)) - find(&self.run, kind)).max(Nanos::ZERO)
    }

    /// Returns the run's cold processors as culprits, one for each kind of part.
    pub(super) fn culprits(&self, breakdowns: &[&Breakdown]) -> Vec<Culprit> {
        let of = |during: PartKind| {
            let cold =
                breakdowns.iter().enumerate().map(|(at, breakdown)| self.cold(at, during, breakdown.total(during)));
            let cold: Vec<Nanos> = cold.filter(|time| *time > Nanos::ZERO).collect();
            let (sleeps, time) = (cold.len() as u64, cold.into_iter().sum());
            Culprit { name: Named("processor cold after idle".to_owned()), during, time, sleeps }
        };
        straight_line().map(of).filter(|culprit| culprit.sleeps > 0).collect()
    }
}

/// Returns how late the interrupt was, if it found the processor idle.
fn leaving_idle(breakdown: &Breakdown) -> Option<Nanos> {
    let late = breakdown.parts.iter().find(|part| part.kind == PartKind::IrqLate)?;
    late.owners.iter().any(|(owner, _)| matches!(owner, Owner::Idle(_))).then_some(late.time)
}

/// Returns the kinds of straight-line parts.
pub(super) fn straight_line() -> impl Iterator<Item = PartKind> {
    PartKind::ALL.iter().copied().filter(|kind| kind.is_straight_line())
}

fn medians(breakdowns: &[&Breakdown]) -> Times {
    straight_line().map(|kind| (kind, median(breakdowns, kind))).collect()
}

fn median(breakdowns: &[&Breakdown], kind: PartKind) -> Nanos {
    quantile::median(breakdowns.iter().map(|breakdown| breakdown.total(kind)).collect()).unwrap_or(Nanos::ZERO)
}

fn find(times: &Times, kind: PartKind) -> Nanos {
    times.iter().find(|(of, _)| *of == kind).map_or(Nanos::ZERO, |(_, time)| *time)
}
