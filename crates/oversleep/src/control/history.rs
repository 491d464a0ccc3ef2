//! When a control thread woke: its longest gaps, at any time, in memory that does not grow.

use crate::{Moment, Nanos};

/// Blocks that are kept. Over this, neighbours are joined, so that each then covers twice as many wake-ups.
const MOST_BLOCKS: usize = 1_024;

/// The time from when a wake-up was due to the next wake-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) from: Moment,
    pub(super) to: Moment,
}

impl Gap {
    pub(super) fn length(self) -> Nanos {
        self.to.saturating_since(self.from)
    }
}

/// Wake-ups in a row, and the longest gap that ended with one of them.
#[derive(Debug, Clone, Copy)]
struct Block {
    from: Moment,
    to: Moment,
    longest: Gap,
    wakes: u64,
}

/// The wake-ups of one control thread.
#[derive(Debug)]
pub(super) struct WakeHistory {
    blocks: Vec<Block>,
    /// Wake-ups that a block takes.
    per_block: u64,
    /// When the latest wake-up was due.
    last_due: Moment,
}

impl WakeHistory {
    /// Begins a history at `start`.
    pub(super) fn new(start: Moment) -> Self {
        Self { blocks: Vec::new(), per_block: 1, last_due: start }
    }

    /// Adds a wake-up that was due at `due`. Its gap begins when the one before was due, not when that came: two stops with a single
    /// wake-up between them are one, and so is a stop that begins while a thread is being woken.
    pub(super) fn add(&mut self, due: Moment, now: Moment) {
        let gap = Gap { from: self.last_due, to: now };
        self.last_due = due;
        match self.blocks.last_mut() {
            Some(block) if block.wakes < self.per_block => {
                *block = block.joined(Block { from: gap.from, to: now, longest: gap, wakes: 1 });
            }
            _ => self.blocks.push(Block { from: gap.from, to: now, longest: gap, wakes: 1 }),
        }
        if self.blocks.len() > MOST_BLOCKS {
            self.blocks =
                self.blocks.chunks(2).map(|pair| pair[1..].iter().fold(pair[0], |a, b| a.joined(*b))).collect();
            self.per_block *= 2;
        }
    }

    /// Returns the longest gap of the wake-ups around `from` to `to`, the one that has not ended by `now` included. It may be one
    /// that lies a little outside: never a shorter one than there was.
    pub(super) fn longest(&self, from: Moment, to: Moment, now: Moment) -> Gap {
        let open = Gap { from: self.last_due, to: now };
        let ended = self.blocks.iter().filter(|block| block.from <= to && from <= block.to).map(|block| block.longest);
        let open = Some(open).filter(|open| open.from <= to);
        let none = Gap { from, to: from };
        ended.chain(open).fold(none, |longest, gap| if gap.length() > longest.length() { gap } else { longest })
    }
}

impl Block {
    fn joined(self, next: Self) -> Self {
        let longest = if next.longest.length() > self.longest.length() { next.longest } else { self.longest };
        Self { from: self.from.min(next.from), to: next.to, longest, wakes: self.wakes + next.wakes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: i64) -> Moment {
        Moment::from_nanos(Nanos::from_micros(us))
    }

    /// Returns the history of wake-ups a millisecond apart for `ms`, but for those within stops (from, to), in µs.
    fn woken(ms: i64, stops: &[(i64, i64)]) -> WakeHistory {
        let mut history = WakeHistory::new(at(0));
        let mut now = 0;
        while now < ms * 1_000 {
            let due = now + 1_000;
            now = stops.iter().filter(|stop| stop.0 <= due).map(|stop| stop.1).fold(due, i64::max);
            history.add(at(due), at(now));
        }
        history
    }

    #[test]
    fn the_longest_gap_is_found_where_it_was_and_not_elsewhere() {
        let history = woken(100, &[(20_500, 51_000)]);
        let longest = |from, to| history.longest(at(from), at(to), at(100_000)).length();
        assert_eq!(longest(0, 100_000), Nanos::from_micros(31_000));
        assert_eq!(longest(40_000, 45_000), Nanos::from_micros(31_000));
        assert_eq!(longest(0, 19_000), Nanos::MILLISECOND);
        assert_eq!(longest(60_000, 100_000), Nanos::MILLISECOND);
    }

    #[test]
    fn a_gap_that_has_not_ended_counts() {
        let history = woken(10, &[]);
        assert_eq!(history.longest(at(0), at(90_000), at(90_000)).length(), Nanos::from_millis(80));
        assert_eq!(history.longest(at(0), at(5_000), at(90_000)).length(), Nanos::MILLISECOND);
    }

    #[test]
    fn stops_with_one_wake_up_between_them_are_one() {
        let history = woken(100, &[(20_500, 51_000), (51_500, 60_000)]);
        assert_eq!(history.longest(at(0), at(99_000), at(99_000)).length(), Nanos::from_millis(39));
        let apart = woken(100, &[(20_500, 51_000), (53_500, 60_000)]);
        assert_eq!(apart.longest(at(0), at(99_000), at(99_000)).length(), Nanos::from_millis(31));
    }

    #[test]
    fn an_hour_takes_no_more_memory_and_forgets_no_gap() {
        let stop = (1_234_567, 1_300_000);
        // Miri would take half an hour for one.
        let ms = if cfg!(miri) { 10_000 } else { 3_600_000 };
        let history = woken(ms, &[stop]);
        assert!(history.blocks.len() <= MOST_BLOCKS && history.blocks.capacity() <= 4 * MOST_BLOCKS);
        let longest = |from, to| history.longest(at(from), at(to), at(1_000 * ms)).length();
        assert_eq!(longest(stop.0, stop.1), Nanos::from_micros(66_000));
        assert_eq!(longest(0, 1_000 * ms), Nanos::from_micros(66_000));
        assert_eq!(longest(500 * ms, 500 * ms + 1_000), Nanos::MILLISECOND);
    }
}
