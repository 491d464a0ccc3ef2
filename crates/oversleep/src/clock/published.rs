//! The first of the present lines, which any thread can read without waiting.

use super::atomic::{AtomicU64, Ordering, fence};
use super::mapping;
use super::timeline::LinePair;

/// A sequence lock: the words belong together if the sequence number is even and the same before and after reading
/// them.
///
/// One cache line. Readers never write, so any number of threads read at full speed. The caller ensures that there is
/// one writer at a time.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Published {
    sequence: AtomicU64,
    words: [AtomicU64; 4],
}

impl Published {
    pub(super) fn new() -> Self {
        Self { sequence: AtomicU64::new(0), words: std::array::from_fn(|_| AtomicU64::new(0)) }
    }

    /// Returns the time at `counter` on the first line, which is enough for nearly every reading. `None` outside that
    /// line, and while the line is being written.
    ///
    /// Lines are drawn for at most a fifth of a second, far below the 2⁴⁰ counts that [`mapping::short`] accepts.
    #[inline]
    pub(super) fn at(&self, counter: u64) -> Option<u64> {
        let before = self.sequence.load(Ordering::Acquire);
        // Written out, because `array::map` was not inlined in builds without optimisation.
        let word = |i: usize| self.words[i].load(Ordering::Relaxed);
        let (start, value, slope, end) = (word(0), word(1), word(2), word(3));
        fence(Ordering::Acquire);
        let whole = before == self.sequence.load(Ordering::Relaxed) && before % 2 == 0;
        (whole && start <= counter && counter < end).then(|| mapping::short(start, value, slope, counter))
    }

    /// Replaces the line; the default of [`LinePair`] is valid nowhere. One writer at a time.
    pub(super) fn write(&self, lines: &LinePair) {
        // In the child of a fork that happened during a write it is odd already: it stays odd until this write is done.
        let odd = self.sequence.load(Ordering::Relaxed) | 1;
        self.sequence.store(odd, Ordering::Relaxed);
        fence(Ordering::Release);
        let words = [lines.now.start, lines.now.value, lines.now.slope, lines.next.start];
        for (word, value) in self.words.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        self.sequence.store(odd.wrapping_add(1), Ordering::Release);
    }
}
