//! What is kept of named stalls: totals by cause, and the longest stalls.

use super::name::{StallAttribution, StallFacts, shares};
use oversleep_recording::CauseTime;
use oversleep_recording::document::stalls::NamedStall;
use oversleep_sys::units::Nanos;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Number of longest stalls that are kept for each processor.
pub(super) const WORST: usize = 100;

/// The causes of stalls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Causes {
    /// Time and number of stalls by cause, cell by cell, the most time first.
    pub took: Vec<CauseTime>,
    /// The hundred longest stalls of each processor, the longest first.
    pub worst: Vec<NamedStall>,
    /// When stalls were watched for: from when to when, in order.
    pub windows: Vec<(Nanos, Nanos)>,
    /// Start and length of the longest stalls of each cell, in order, among which a rhythm is sought.
    pub longest: BTreeMap<u32, Vec<(Nanos, Nanos)>>,
    /// Number of stalls that have no name, because the recording lacks what was seen of them.
    pub unnamed: u64,
}

/// One processor's totals and worst stalls.
#[derive(Debug, Default)]
pub(super) struct Totals {
    took: BTreeMap<String, (Nanos, u64)>,
    worst: BinaryHeap<Reverse<Ranked>>,
}

/// A stall, ordered by length; of equally long ones, the earlier ranks higher.
#[derive(Debug)]
struct Ranked(NamedStall);

impl Ranked {
    fn key(&self) -> (Nanos, Reverse<Nanos>, Reverse<u64>) {
        (self.0.length, Reverse(self.0.at), Reverse(self.0.sequence))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Ranked {}

impl Totals {
    /// Adds a stall's length to its causes.
    pub(super) fn enter(&mut self, evidence: &StallFacts, verdict: &StallAttribution) {
        let mut own: BTreeMap<String, Nanos> = BTreeMap::new();
        for (cause, time) in shares(evidence, verdict) {
            *own.entry(cause).or_default() += time;
        }
        for (cause, time) in own {
            let sum = self.took.entry(cause).or_default();
            *sum = (sum.0.saturating_add(time), sum.1 + 1);
        }
    }

    /// Keeps a stall if it is among the longest.
    pub(super) fn keep_if_longest(&mut self, stall: NamedStall) {
        self.worst.push(Reverse(Ranked(stall)));
        if self.worst.len() > WORST {
            self.worst.pop();
        }
    }

    /// Returns whether a stall of this length may be among the longest.
    pub(super) fn is_long(&self, length: Nanos) -> bool {
        self.worst.len() < WORST || self.worst.peek().is_some_and(|Reverse(least)| least.0.length < length)
    }

    /// Adds the totals and stalls to the causes of other cells.
    pub(super) fn finish(self, cell: u32, causes: &mut Causes) {
        let with = |(cause, (time, stalls))| CauseTime { cell, cause, time, stalls };
        let mut took: Vec<CauseTime> = self.took.into_iter().map(with).collect();
        took.sort_by_key(|took| Reverse(took.time));
        causes.took.extend(took);
        causes.worst.extend(self.worst.into_iter().map(|Reverse(Ranked(stall))| stall));
    }

    /// Returns how many stalls and causes are held.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.worst.len() + self.took.len()
    }
}
