//! A counter corrected to the system's clock: when the two are compared, and what follows.

use super::compare::{Earlier, FIRST_INTERVAL, Outcome, PairedReading, READING_DISTURBED, compare, restart};
use super::counter_and_clock::CounterAndClock;
use super::mapping::{Line, counts};
use super::timeline::{LinePair, Timeline};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// The counter as a clock that is never set back.
#[derive(Debug)]
pub(super) struct Disciplined<S> {
    clocks: S,
    timeline: Timeline,
    /// Process whose thread compares the clocks, 0 for none; other threads read meanwhile. After a `fork` during a
    /// comparison, that thread does not exist in the child, which is another process.
    comparing: AtomicU32,
    refused: AtomicBool,
    last: Last,
    comparisons: AtomicU64,
    disagreements: AtomicU64,
    worst: AtomicU64,
    /// Comparisons that agreed since the last one that did not.
    agreed: AtomicU64,
    /// Disagreements that still count.
    held_against: AtomicU64,
}

/// The last comparison. Written by the thread that compares.
#[derive(Debug, Default)]
struct Last {
    before: AtomicU64,
    system: AtomicU64,
    after: AtomicU64,
    interval: AtomicU64,
    slope: AtomicU64,
}

/// Statistics of all comparisons. Times in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) comparisons: u64,
    pub(super) disagreements: u64,
    pub(super) worst: u64,
    /// Time between the two counter readings of the last comparison.
    pub(super) error: u64,
}

/// How often the system is asked whether it still trusts the counter (on Linux a file read): every 100 comparisons,
/// at most once in ten seconds. After this many comparisons that agree, earlier disagreements no longer count.
const ASK_AGAIN: u64 = 100;
/// Number of disagreements after which the counter is not trusted: a single one is a suspension or a migration.
const DISAGREEMENTS: u64 = 3;

impl<S: CounterAndClock + Default> Default for Disciplined<S> {
    fn default() -> Self {
        Self::new(S::default())
    }
}

impl<S: CounterAndClock> Disciplined<S> {
    pub(super) fn new(clocks: S) -> Self {
        let zero = || AtomicU64::new(0);
        Self {
            refused: AtomicBool::new(!clocks.counter_is_trusted()),
            clocks,
            timeline: Timeline::new(),
            comparing: AtomicU32::new(0),
            last: Last::default(),
            comparisons: zero(),
            disagreements: zero(),
            worst: zero(),
            agreed: zero(),
            held_against: zero(),
        }
    }

    /// Returns the time at a counter just read, if it is on the first line.
    #[inline]
    pub(super) fn at(&self, counter: u64) -> Option<u64> {
        self.timeline.at(counter)
    }

    /// Returns the time now, for a reading past the first line: one thread compares the clocks, the others do not wait
    /// for it.
    #[cold]
    pub(super) fn now(&self) -> u64 {
        // Once refused, no more lines are drawn, and the existing ones are closed.
        if self.refused.load(Ordering::Acquire) {
            return self.timeline.without_lines(&self.clocks);
        }
        let process = self.clocks.process();
        let holder = self.comparing.load(Ordering::Relaxed);
        let taken = holder != process
            && self.comparing.compare_exchange(holder, process, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if taken {
            // Checked again: the thread that compared until now may have refused it.
            if !self.refused.load(Ordering::Relaxed) {
                self.compare_clocks();
            }
            self.comparing.store(0, Ordering::Release);
        }
        self.timeline.now(&self.clocks)
    }

    /// Returns the lines in force at present.
    pub(super) fn lines(&self) -> Option<LinePair> {
        self.timeline.lines()
    }

    pub(super) fn account(&self) -> Account {
        let read = |word: &AtomicU64| word.load(Ordering::Relaxed);
        let Earlier { pair, slope, .. } = self.last.load();
        Account {
            comparisons: read(&self.comparisons),
            disagreements: read(&self.disagreements),
            worst: read(&self.worst),
            error: Line { start: pair.before, value: 0, slope }.at(pair.after),
        }
    }

    /// Compares the clocks and publishes the result. Called by one thread at a time.
    fn compare_clocks(&self) {
        let pair = PairedReading::take(&self.clocks);
        let lines = self.timeline.lines().filter(|lines| pair.before < lines.end);
        match compare(lines, self.last.load(), pair) {
            Outcome::TooSoon => return,
            Outcome::Begin => self.last.store(Earlier { pair, interval: FIRST_INTERVAL, slope: 0 }),
            Outcome::Open { line, interval } => {
                let draw = |first| restart(first, interval);
                let until = line.start.saturating_add(counts(interval, line.slope));
                if !self.timeline.open(&self.clocks, line, until, READING_DISTURBED, draw) {
                    return;
                }
                self.agree(Earlier { pair, interval, slope: line.slope }, 0);
            }
            Outcome::Draw { lines, difference, interval } => {
                if !self.timeline.go_on(&lines) {
                    return;
                }
                self.agree(Earlier { pair, interval, slope: lines.next.slope }, difference);
            }
            Outcome::Restart { difference } => self.disagree(difference),
        }
        let asks_again = self.comparisons.fetch_add(1, Ordering::Relaxed) % ASK_AGAIN == ASK_AGAIN - 1;
        if asks_again && !self.clocks.counter_is_trusted() {
            self.refuse();
        }
    }

    fn agree(&self, earlier: Earlier, difference: u64) {
        self.last.store(earlier);
        self.worst.fetch_max(difference, Ordering::Relaxed);
        if self.agreed.fetch_add(1, Ordering::Relaxed) + 1 >= ASK_AGAIN {
            self.held_against.store(0, Ordering::Relaxed);
        }
    }

    fn disagree(&self, difference: u64) {
        self.worst.fetch_max(difference, Ordering::Relaxed);
        self.disagreements.fetch_add(1, Ordering::Relaxed);
        self.agreed.store(0, Ordering::Relaxed);
        self.timeline.close(&self.clocks);
        self.last.store(Earlier::default());
        if self.held_against.fetch_add(1, Ordering::Relaxed) + 1 >= DISAGREEMENTS {
            self.refuse();
        }
    }

    /// Refuses the counter permanently: no lines are drawn after this.
    fn refuse(&self) {
        self.timeline.close(&self.clocks);
        self.refused.store(true, Ordering::Release);
    }
}

impl Last {
    fn load(&self) -> Earlier {
        let read = |word: &AtomicU64| word.load(Ordering::Relaxed);
        let pair = PairedReading { before: read(&self.before), system: read(&self.system), after: read(&self.after) };
        Earlier { pair, interval: read(&self.interval), slope: read(&self.slope) }
    }

    fn store(&self, earlier: Earlier) {
        let Earlier { pair, interval, slope } = earlier;
        let words = [&self.before, &self.system, &self.after, &self.interval, &self.slope];
        let values = [pair.before, pair.system, pair.after, interval, slope];
        for (word, value) in words.into_iter().zip(values) {
            word.store(value, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
