//! What a copy of a recording is known by.

use crate::{Meta, Note, Sample, Sink, Wakes};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Number of samples by which a recording is known again, if it says when it began. Of others, all samples count: a table
/// may have equal times at its beginning.
const KNOWN_BY: u64 = 64;

/// Takes a recording and returns a checksum that a copy has too, whatever its name.
#[derive(Debug, Clone)]
pub struct Content {
    hasher: DefaultHasher,
    hashed: u64,
    most: u64,
    counts: Vec<u64>,
}

impl Content {
    /// Begins a recording.
    pub fn new(meta: &Meta) -> Self {
        let mut hasher = DefaultHasher::new();
        (&meta.started, meta.plan.seed).hash(&mut hasher);
        let most = if meta.started.is_some() { KNOWN_BY } else { u64::MAX };
        Self { hasher, hashed: 0, most, counts: Vec::new() }
    }

    /// Returns the checksum; `None` if there were no samples and no counts.
    pub fn checksum(mut self) -> Option<u64> {
        let is_empty = self.hashed == 0 && self.counts.is_empty();
        self.counts.hash(&mut self.hasher);
        (!is_empty).then(|| self.hasher.finish())
    }
}

impl Sink for Content {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            if self.hashed == self.most {
                return;
            }
            (sample.cell, sample.thread, sample.requested, sample.start, sample.end).hash(&mut self.hasher);
            self.hashed += 1;
        }
    }

    fn wakes(&mut self, wakes: &Wakes) {
        if self.hashed < self.most {
            self.samples(&wakes.samples().collect::<Vec<_>>());
        }
    }

    fn note(&mut self, note: &Note) {
        for counts in &note.distributions {
            let mut hasher = DefaultHasher::new();
            (counts.cell, counts.count, &counts.buckets, counts.min, counts.max).hash(&mut hasher);
            self.counts.push(hasher.finish());
        }
    }
}
