//! What is known of one cell on one processor.

use crate::figures::quantile::{Fraction, of_sorted, supports_quantile};
use oversleep_recording::Sample;
use oversleep_sys::units::Nanos;
use std::collections::VecDeque;

/// The number of latest sleeps that quantiles are of.
const RECENT: usize = 10_000;

/// A sleep that was later than all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worst {
    /// How late.
    pub late: Nanos,
    /// When it ended, since the first sleep began.
    pub at: Nanos,
    /// Its thread.
    pub thread: u16,
    /// Its number.
    pub sequence: u64,
}

/// The sleeps of a cell that ended on one processor.
#[derive(Debug, Clone)]
pub struct Row {
    /// The cell.
    pub cell: u32,
    /// The processor; [`Sample::NO_CPU`] where unknown.
    pub cpu: u16,
    /// How many.
    pub n: u64,
    /// How many of them ended early.
    pub early: u64,
    /// The latest one's oversleep.
    pub latest: Nanos,
    /// The worst.
    pub worst: Option<Worst>,
    recent: VecDeque<i64>,
}

impl Row {
    pub(super) fn new(cell: u32, cpu: u16) -> Self {
        Self { cell, cpu, n: 0, early: 0, latest: Nanos::ZERO, worst: None, recent: VecDeque::new() }
    }

    pub(super) fn take(&mut self, sample: &Sample, at: Nanos) {
        let late = sample.oversleep();
        self.n += 1;
        self.early += u64::from(late < Nanos::ZERO);
        self.latest = late;
        if self.worst.is_none_or(|worst| late > worst.late) {
            self.worst = Some(Worst { late, at, thread: sample.thread, sequence: sample.sequence });
        }
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(late.get());
    }

    /// Returns p50 and p99 of the latest ten thousand sleeps, each where there are enough for it.
    pub fn quantiles(&self) -> [Option<Nanos>; 2] {
        let mut sorted: Vec<i64> = self.recent.iter().copied().collect();
        sorted.sort_unstable();
        [Fraction::P50, Fraction::P99].map(|p| {
            let enough = supports_quantile(sorted.len() as u64, p);
            enough.then(|| of_sorted(&sorted, p)).flatten().map(Nanos::new)
        })
    }
}

/// The account of a schedule's periods. `asked == fresh + late + skipped`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Periods {
    /// Periods that were due.
    pub asked: u64,
    /// Woken for before the next one was due.
    pub fresh: u64,
    /// Woken for after that.
    pub late: u64,
    /// Never woken for.
    pub skipped: u64,
    next: Option<u64>,
}

impl Periods {
    /// Enters a wake-up: the numbers that are missing before it are skipped periods.
    pub(super) fn take(&mut self, sample: &Sample, period: Nanos) {
        let skipped = self.next.map_or(0, |next| sample.sequence.saturating_sub(next));
        self.next = Some(sample.sequence.saturating_add(1));
        self.asked += 1 + skipped;
        self.skipped += skipped;
        let late = sample.oversleep() >= period;
        self.late += u64::from(late);
        self.fresh += u64::from(!late);
    }

    /// Returns both accounts as one.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            asked: self.asked + other.asked,
            fresh: self.fresh + other.fresh,
            late: self.late + other.late,
            skipped: self.skipped + other.skipped,
            next: None,
        }
    }
}
