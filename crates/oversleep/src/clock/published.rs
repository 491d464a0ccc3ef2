//! The first of the present lines, readable by any thread without waiting.

use super::mapping;
use super::timeline::Lines;
use crate::sync::{AtomicU64, Ordering, fence};

/// A sequence lock: an even sequence number before and after reading says that the words belong together.
///
/// One cache line. Readers never write, so any number of threads read at full speed; there is one writer at a
/// time, by the caller's care.
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

    /// Returns the time at `counter` on the first line: what nearly every reading needs, and no more. `None` elsewhere,
    /// and while the line is being written.
    ///
    /// Lines are drawn for a fifth of a second at most, far below the 2⁴⁰ counts that [`mapping::short`] takes.
    #[inline]
    pub(super) fn at(&self, counter: u64) -> Option<u64> {
        let before = self.sequence.load(Ordering::Acquire);
        // Written out: `array::map` was seen not to be inlined in builds without optimisation.
        let word = |i: usize| self.words[i].load(Ordering::Relaxed);
        let (start, value, slope, end) = (word(0), word(1), word(2), word(3));
        fence(Ordering::Acquire);
        let whole = before == self.sequence.load(Ordering::Relaxed) && before % 2 == 0;
        (whole && start <= counter && counter < end).then(|| mapping::short(start, value, slope, counter))
    }

    /// Replaces the line; the default of [`Lines`] is valid nowhere. One writer at a time.
    pub(super) fn write(&self, lines: &Lines) {
        // Odd already in the child of a fork that came amid a write: it stays odd until this one is done.
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

#[cfg(all(test, loom))]
mod loom_tests {
    use super::super::mapping::Line;
    use super::*;
    use loom::sync::Arc;

    /// Every interleaving of one writer and one reader: the reader sees all of one state or nothing.
    #[test]
    fn a_reader_never_sees_half_a_change() {
        loom::model(|| {
            let lines = |value| {
                let line = |value| Line { start: value, value, slope: 1 << 40 };
                Lines::new(line(value), line(value + 10), value + 20)
            };
            let published = Arc::new(Published::new());
            published.write(&lines(10));
            let writer = {
                let published = Arc::clone(&published);
                loom::thread::spawn(move || published.write(&lines(15)))
            };
            // Either line says the same of a counter that is on both.
            assert!(published.at(17).is_none_or(|ns| ns == 17));
            writer.join().unwrap();
            assert_eq!((published.at(12), published.at(17), published.at(26)), (None, Some(17), None));
        });
    }
}
