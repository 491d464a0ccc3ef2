//! Numbers the threads of cells in the order in which they first appear.

use std::collections::HashMap;

/// Numbers the threads of cells, and counts the samples of each.
#[derive(Debug, Default)]
pub(super) struct Keys {
    known: HashMap<(u32, u16), usize>,
    /// Samples so far, by key.
    counts: Vec<u64>,
    /// Samples so far, by cell.
    places: HashMap<u32, u64>,
    /// The thread of the previous sample: samples of one thread follow each other in runs.
    last: Option<Last>,
}

#[derive(Debug, Clone, Copy)]
struct Last {
    cell: u32,
    thread: u16,
    key: usize,
    /// The cell's count of samples, not yet written back to `places`.
    place: u64,
}

impl Keys {
    /// Returns the key of this thread of this cell, and the numbers of its next sample: in the thread, and in the cell.
    #[inline]
    pub(super) fn next(&mut self, cell: u32, thread: u16) -> (usize, u64, u64) {
        let last = match &mut self.last {
            Some(last) if last.cell == cell && last.thread == thread => last,
            _ => self.turn_to(cell, thread),
        };
        let (key, place) = (last.key, last.place);
        last.place += 1;
        let ordinal = self.counts[key];
        self.counts[key] += 1;
        (key, ordinal, place)
    }

    fn turn_to(&mut self, cell: u32, thread: u16) -> &mut Last {
        if let Some(last) = self.last.take() {
            self.places.insert(last.cell, last.place);
        }
        let fresh = self.counts.len();
        let key = *self.known.entry((cell, thread)).or_insert(fresh);
        if key == fresh {
            self.counts.push(0);
        }
        let place = self.places.get(&cell).copied().unwrap_or(0);
        self.last.insert(Last { cell, thread, key, place })
    }
}
