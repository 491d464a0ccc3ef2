//! The present pair of lines, readable by any thread without waiting.

use super::mapping::{self, Line};
use crate::sync::{AtomicU64, Ordering, fence};

/// Two lines that meet: `now` up to the counter at which `next` starts, `next` from there up to `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lines {
    pub(super) now: Line,
    pub(super) next: Line,
    /// Counter from which on neither is valid.
    pub(super) end: u64,
}

impl Lines {
    /// The last time they give.
    pub(super) fn last(&self) -> u64 {
        self.next.at(self.end)
    }

    /// Whether `counter` is on the first line.
    pub(super) fn is_first(&self, counter: u64) -> bool {
        self.now.start <= counter && counter < self.next.start
    }

    /// The time at `counter`; `None` outside both lines.
    #[inline]
    pub(super) fn at(&self, counter: u64) -> Option<u64> {
        if counter >= self.end || counter < self.now.start {
            return None;
        }
        Some(if counter < self.next.start { self.now.at(counter) } else { self.next.at(counter) })
    }
}

/// A sequence lock: an even sequence number before and after reading says that the words belong together.
///
/// One cache line. Readers never write, so any number of threads read at full speed; there is one writer at a
/// time, by the caller's care.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Published {
    sequence: AtomicU64,
    words: [AtomicU64; 7],
}

impl Published {
    pub(super) fn new() -> Self {
        Self { sequence: AtomicU64::new(0), words: std::array::from_fn(|_| AtomicU64::new(0)) }
    }

    /// The lines, or `None` while they are being written.
    #[inline]
    pub(super) fn read(&self) -> Option<Lines> {
        let before = self.sequence.load(Ordering::Acquire);
        let [start, value, slope, next_start, next_value, next_slope, end] = self.load();
        fence(Ordering::Acquire);
        let after = self.sequence.load(Ordering::Relaxed);
        (before == after && before.is_multiple_of(2)).then_some(Lines {
            now: Line { start, value, slope },
            next: Line { start: next_start, value: next_value, slope: next_slope },
            end,
        })
    }

    #[inline]
    fn load(&self) -> [u64; 7] {
        // Written out: `array::map` was seen not to be inlined in builds without optimisation.
        let word = |i: usize| self.words[i].load(Ordering::Relaxed);
        [word(0), word(1), word(2), word(3), word(4), word(5), word(6)]
    }

    /// The time at `counter` on the first line: what nearly every reading needs, and no more. `None` elsewhere, and
    /// while the lines are being written.
    ///
    /// Lines are drawn for a fifth of a second at most, far below the 2⁴⁰ counts that [`mapping::short`] takes.
    #[inline]
    pub(super) fn first_at(&self, counter: u64) -> Option<u64> {
        let before = self.sequence.load(Ordering::Acquire);
        let [start, value, slope, end] = [0, 1, 2, 3].map(|i: usize| self.words[i].load(Ordering::Relaxed));
        fence(Ordering::Acquire);
        let whole = before == self.sequence.load(Ordering::Relaxed) && before.is_multiple_of(2);
        (whole && start <= counter && counter < end).then(|| mapping::short(start, value, slope, counter))
    }

    /// Replaces the lines. One writer at a time.
    pub(super) fn write(&self, lines: Lines) {
        let sequence = self.sequence.load(Ordering::Relaxed);
        self.sequence.store(sequence.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        let Lines { now, next, end } = lines;
        let words = [now.start, now.value, now.slope, next.start, next.value, next.slope, end];
        for (word, value) in self.words.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        self.sequence.store(sequence.wrapping_add(2), Ordering::Release);
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;

    /// Every interleaving of one writer and one reader: the reader sees all of one state or nothing.
    #[test]
    fn a_reader_never_sees_half_a_change() {
        loom::model(|| {
            let of = |n| Line { start: n, value: n, slope: n };
            let published = Arc::new(Published::new());
            let writer = {
                let published = Arc::clone(&published);
                loom::thread::spawn(move || published.write(Lines { now: of(1), next: of(1), end: 1 }))
            };
            if let Some(lines) = published.read() {
                let n = lines.end;
                assert_eq!(lines, Lines { now: of(n), next: of(n), end: n });
            }
            writer.join().unwrap();
            assert_eq!(published.read().map(|lines| lines.end), Some(1));
        });
    }
}
