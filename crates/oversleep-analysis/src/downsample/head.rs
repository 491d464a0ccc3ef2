//! The first sleeps of every thread of every cell, without gaps.

use oversleep_recording::Sample;

/// At most `bound` samples: the first ones of each thread, of equal number for all threads that have enough.
#[derive(Debug)]
pub(super) struct Head {
    bound: usize,
    /// The number of first sleeps that each thread keeps.
    each: usize,
    /// Samples with their keys, in the order in which they came.
    kept: Vec<(usize, Sample)>,
    /// Samples kept, by key.
    counts: Vec<usize>,
}

impl Head {
    pub(super) fn new(bound: usize) -> Self {
        Self { bound, each: bound, kept: Vec::new(), counts: Vec::new() }
    }

    #[inline]
    pub(super) fn take(&mut self, key: usize, sample: &Sample) {
        if key >= self.counts.len() {
            self.counts.resize(key + 1, 0);
        }
        if self.counts[key] >= self.each {
            return;
        }
        self.counts[key] += 1;
        self.kept.push((key, *sample));
        if self.kept.len() > self.bound && self.each > 1 {
            self.shorten();
        }
    }

    /// Lowers `each` until a quarter of the room is free; threads with fewer samples keep all.
    fn shorten(&mut self) {
        let total = |each: usize| self.counts.iter().map(|&count| count.min(each)).sum::<usize>();
        let (mut low, mut high) = (1, self.each);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if total(middle) <= self.bound / 4 * 3 {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        self.each = low;
        self.counts.fill(0);
        let (counts, each) = (&mut self.counts, self.each);
        self.kept.retain(|&(key, _)| {
            let stays = counts[key] < each;
            counts[key] += usize::from(stays);
            stays
        });
    }

    pub(super) fn finish(self) -> Vec<Sample> {
        self.kept.into_iter().map(|(_, sample)| sample).collect()
    }
}
