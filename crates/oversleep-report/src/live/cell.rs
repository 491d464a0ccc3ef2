//! Running figures of one cell on one processor.

use oversleep_figures::quantile::{Fraction, of_unsorted, supports_quantile};
use oversleep_recording::Sample;
use oversleep_sys::units::Nanos;
use std::collections::VecDeque;

/// Number of the most recent sleeps that quantiles are computed from.
const RECENT: usize = 10_000;

/// The sleep of a row with the largest oversleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worst {
    /// Its oversleep.
    pub late: Nanos,
    /// When it ended, counted from the start of the first sleep.
    pub at: Nanos,
    /// Number of its thread.
    pub thread: u16,
    /// Its sequence number.
    pub sequence: u64,
}

/// Figures of the sleeps of a cell that ended on one processor.
#[derive(Debug, Clone)]
pub struct LiveRow {
    /// Number of the cell.
    pub cell: u32,
    /// Number of the processor; [`Sample::NO_CPU`] if unknown.
    pub cpu: u16,
    /// Number of sleeps.
    pub n: u64,
    /// Number of sleeps that ended early.
    pub early: u64,
    /// Oversleep of the most recent sleep.
    pub latest: Nanos,
    /// The sleep with the largest oversleep.
    pub worst: Option<Worst>,
    recent: VecDeque<i64>,
}

impl LiveRow {
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

    /// Returns p50 and p99 of the most recent ten thousand sleeps, each if there are enough for it.
    pub fn quantiles(&self) -> [Option<Nanos>; 2] {
        // Called for every drawing, so it does not sort.
        let mut recent: Vec<i64> = self.recent.iter().copied().collect();
        [Fraction::P50, Fraction::P99].map(|p| {
            let enough = supports_quantile(recent.len() as u64, p);
            enough.then(|| of_unsorted(&mut recent, p)).flatten().map(Nanos::new)
        })
    }
}

/// Counts of a schedule's periods. `asked == fresh + late + skipped`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Periods {
    /// Periods that were due.
    pub asked: u64,
    /// Periods whose wake-up came before the next deadline.
    pub fresh: u64,
    /// Periods whose wake-up came at or after the next deadline.
    pub late: u64,
    /// Periods without a wake-up.
    pub skipped: u64,
    next: Option<u64>,
}

impl Periods {
    /// Counts a wake-up; sequence numbers missing before it are skipped periods.
    pub(super) fn take(&mut self, sample: &Sample, period: Nanos) {
        let skipped = self.next.map_or(0, |next| sample.sequence.saturating_sub(next));
        self.next = Some(sample.sequence.saturating_add(1));
        self.asked += 1 + skipped;
        self.skipped += skipped;
        let late = sample.oversleep() >= period;
        self.late += u64::from(late);
        self.fresh += u64::from(!late);
    }

    /// Returns the sum of both counts.
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
