//! Sleeps of one cell that were examined one by one, by cause.

use super::{Breakdown, Owner, by_cause, culprit_name, owners_of};
use oversleep_figures::interval::median_ranks;
use oversleep_figures::quantile::median;
use oversleep_recording::document::evidence::{Evidence, Examined};
use oversleep_recording::document::{Cause, Finding, Remedy, Unit, Witness};
use std::collections::BTreeMap;

/// The causes that only such sleeps show with certainty. Their other parts, such as slack, are in every sleep, and the
/// pattern shows them.
pub const SEEN_ONLY: [Cause; 4] = [Cause::RunQueue, Cause::Throttled, Cause::LateInterrupt, Cause::Stopped];

/// Confidence in what the kernel's own events show.
pub const SEEN: f64 = 0.95;

/// Sleeps of one cell that were examined and completely explained; at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct ExaminedSleeps {
    /// Lateness above which sleeps were examined, in ns.
    pub threshold: i64,
    /// What the examination is based on.
    witness: Witness,
    sleeps: Vec<Breakdown>,
}

impl ExaminedSleeps {
    /// Returns the completely explained sleeps among those that were examined because they were later than `threshold`;
    /// `None` if there is none.
    pub fn new(threshold: i64, witness: Witness, mut sleeps: Vec<Breakdown>) -> Option<Self> {
        sleeps.retain(Breakdown::is_complete);
        (!sleeps.is_empty()).then_some(Self { threshold, witness, sleeps })
    }

    /// Returns a finding of a cause that is the largest part of the lateness of some of the sleeps: its size there, without
    /// its share of all lateness.
    pub fn finding(&self, cause: Cause) -> Option<Finding> {
        let times = self.largest_part(cause);
        let size = median(times.clone())? as f64;
        let numbers = Examined {
            examined: self.count() as u64,
            largest_part_of: times.len() as u64,
            used_by: self.used_by(cause),
        };
        let mut finding = Finding::new(Evidence::of_examined(cause, numbers)?, size, Unit::Nanoseconds).sure(SEEN);
        let at = |rank: u64| times.get(usize::try_from(rank).ok()?.checked_sub(1)?).map(|ns| *ns as f64);
        if let Some((low, high)) = median_ranks(times.len() as u64) {
            (finding.low, finding.high) = (at(low), at(high));
        }
        finding.witnesses = vec![self.witness];
        // The events tell the causes apart.
        finding.confounders.clear();
        let needed = self.sleeps.iter().filter_map(Breakdown::needed_priority).max();
        if let Some(needed) = needed.filter(|needed| cause == Cause::RunQueue && *needed > 1) {
            let command = format!("chrt --fifo {needed} COMMAND, or a processor of its own (isolcpus, taskset)");
            let note = "above the real-time threads that it waited for; or lower the priority of these";
            finding.remedy = vec![Remedy::new("Linux", &command, note)];
        }
        Some(finding)
    }

    /// Returns the number of sleeps.
    pub fn count(&self) -> usize {
        self.sleeps.len()
    }

    /// Returns the time of each cause in each sleep, in ns; `None` is what no cause explains.
    fn causes(&self) -> impl Iterator<Item = BTreeMap<Option<Cause>, i64>> {
        self.sleeps.iter().map(by_cause)
    }

    /// Returns the lateness of all together by cause, in ns.
    pub fn sums(&self) -> BTreeMap<Option<Cause>, i64> {
        let mut sums = BTreeMap::new();
        for (cause, ns) in self.causes().flatten() {
            *sums.entry(cause).or_default() += ns;
        }
        sums
    }

    /// Returns the times of a cause, in ns and ascending, in the sleeps of whose lateness it is the largest part.
    fn largest_part(&self, cause: Cause) -> Vec<i64> {
        let mostly = |causes: &BTreeMap<Option<Cause>, i64>| {
            let own = causes.get(&Some(cause)).copied().unwrap_or(0);
            causes.values().all(|ns| *ns <= own).then_some(own)
        };
        let mut times: Vec<i64> = self.causes().filter_map(|causes| mostly(&causes)).collect();
        times.sort_unstable();
        times
    }

    /// Returns who used the processor for more than half of a cause's time.
    fn used_by(&self, cause: Cause) -> Option<String> {
        let mut sums: BTreeMap<String, i64> = BTreeMap::new();
        for (owner, ns) in self.owners_of(cause) {
            *sums.entry(culprit_name(owner)).or_default() += ns;
        }
        let all = self.sums().get(&Some(cause)).copied().unwrap_or(0);
        sums.into_iter().find(|(_, ns)| *ns > all / 2).map(|(name, _)| name)
    }

    fn owners_of(&self, cause: Cause) -> impl Iterator<Item = (&Owner, i64)> {
        self.sleeps.iter().flat_map(move |sleep| owners_of(sleep, cause))
    }

    /// Returns the most that is left of a sleep's lateness without these causes, in ns.
    pub fn most_without(&self, gone: &[Cause]) -> i64 {
        let left = |causes: BTreeMap<Option<Cause>, i64>| {
            let kept = causes.into_iter().filter(|(cause, _)| cause.is_none_or(|cause| !gone.contains(&cause)));
            kept.map(|(_, ns)| ns).sum::<i64>()
        };
        self.causes().map(left).max().unwrap_or(0)
    }
}
