//! What is kept of a run in memory: accounts, totals by cause, the worst stalls.

use super::worker::Closed;
use crate::analysis::stalls::name::{Evidence, Verdict, shares};
use oversleep_recording::{Mark, Took, Watched};
use oversleep_sys::units::Nanos;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Marks are kept of so many stalls of each processor, those longest so far.
const WORST: usize = 100;

/// One processor's part of the run.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) account: Watched,
    /// Time within windows.
    watched: Nanos,
    sequence: u64,
    took: BTreeMap<String, (Nanos, u64)>,
    worst: BinaryHeap<Reverse<Nanos>>,
    /// The median stall of the last window that had any.
    pub(super) usual: Nanos,
}

impl Kept {
    pub(super) fn new(account: Watched) -> Self {
        Self {
            account,
            watched: Nanos::ZERO,
            sequence: 0,
            took: BTreeMap::new(),
            worst: BinaryHeap::new(),
            usual: Nanos::ZERO,
        }
    }

    /// Enters a window's account.
    pub(super) fn window(&mut self, closed: &Closed) {
        self.watched += closed.length;
        let account = &mut self.account;
        account.stalled += closed.stalled;
        account.looked += closed.looked;
        account.spun += closed.length - closed.stalled - closed.looked;
        account.readings += closed.ticks.readings;
        account.stalls += closed.ticks.gaps;
        account.unlisted += closed.ticks.gaps - closed.stalls.len() as u64;
        account.backwards += closed.ticks.backwards;
        let mut lengths: Vec<Nanos> = closed.stalls.iter().map(|stall| stall.until - stall.from).collect();
        if !lengths.is_empty() {
            let middle = lengths.len() / 2;
            self.usual = *lengths.select_nth_unstable(middle).1;
        }
    }

    /// The next stall's number.
    pub(super) fn number(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence - 1
    }

    /// Enters what a stall was put down to. Gives a mark if it is among the longest so far.
    pub(super) fn enter(&mut self, at: Nanos, sequence: u64, evidence: &Evidence, verdict: Verdict) -> Option<Mark> {
        let mut own: BTreeMap<String, Nanos> = BTreeMap::new();
        for (cause, time) in shares(evidence, &verdict) {
            *own.entry(cause).or_default() += time;
        }
        for (cause, time) in own {
            let sum = self.took.entry(cause).or_default();
            *sum = (sum.0.saturating_add(time), sum.1 + 1);
        }
        self.among_the_worst(evidence.length).then(|| Mark {
            cell: self.account.cell,
            thread: 0,
            sequence,
            cpu: u16::try_from(self.account.cpu).ok(),
            at,
            length: evidence.length,
            explanation: verdict.explanation,
            cause: verdict.cause,
            witness: verdict.witness.to_owned(),
            refused: Vec::new(),
            together: evidence.together.clone(),
            trace: None,
        })
    }

    fn among_the_worst(&mut self, length: Nanos) -> bool {
        if self.worst.len() < WORST {
            self.worst.push(Reverse(length));
            return true;
        }
        match self.worst.peek() {
            Some(Reverse(least)) if *least < length => {
                self.worst.pop();
                self.worst.push(Reverse(length));
                true
            }
            _ => false,
        }
    }

    /// The account from `begun` to now, `elapsed` later: what was not within a window was a pause.
    pub(super) fn account(&self, begun: Nanos, elapsed: Nanos) -> Watched {
        Watched { begun, elapsed, paused: elapsed - self.watched, ..self.account }
    }

    /// Everything that took time, the most first.
    pub(super) fn took(&self) -> Vec<Took> {
        let with = |(cause, (time, stalls)): (&String, &(Nanos, u64))| Took {
            cell: self.account.cell,
            cause: cause.clone(),
            time: *time,
            stalls: *stalls,
        };
        let mut all: Vec<Took> = self.took.iter().map(with).collect();
        all.sort_by_key(|took| Reverse(took.time));
        all
    }
}
