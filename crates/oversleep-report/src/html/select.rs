//! Selection of a page's samples: all of a recording of up to a million; of a longer one its extremes and a part of the
//! rest.

use oversleep_recording::Sample;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Largest number of samples in a page, not counting extremes.
pub(super) const MOST: usize = 1 << 20;
/// Of a longer recording, this many sleeps with the largest oversleep are kept, and as many with the smallest.
const EXTREMES: usize = 2048;

/// The oversleep and number of a sample, ordered by oversleep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Extreme {
    late: i64,
    number: u64,
}

/// The selected samples, in the file's order.
pub(super) struct SelectedSamples {
    pub(super) samples: Vec<Sample>,
    /// Whether each sample was kept only because it is an extreme; empty if all samples are kept.
    pub(super) is_extra: Vec<bool>,
    /// Number of samples in the recording.
    pub(super) seen: u64,
    /// Number of samples for each one that is kept.
    pub(super) one_of: u64,
}

/// Selects samples as they pass, at most about [`MOST`].
pub(super) struct SampleSelector {
    most: usize,
    numbered: Vec<(u64, Sample)>,
    seen: u64,
    one_of: u64,
    latest: BinaryHeap<Reverse<Extreme>>,
    earliest: BinaryHeap<Extreme>,
    extremes: Vec<(u64, Sample)>,
}

impl SampleSelector {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most: most.max(1),
            numbered: Vec::new(),
            seen: 0,
            one_of: 1,
            latest: BinaryHeap::new(),
            earliest: BinaryHeap::new(),
            extremes: Vec::new(),
        }
    }

    pub(super) fn take(&mut self, batch: &[Sample]) {
        for sample in batch {
            let number = self.seen;
            self.seen += 1;
            if self.is_extreme(sample, number) {
                self.extremes.push((number, *sample));
                if self.extremes.len() > 16 * EXTREMES {
                    self.forget();
                }
            }
            if is_selected(number, self.one_of) {
                self.numbered.push((number, *sample));
                if self.numbered.len() > self.most {
                    self.one_of *= 2;
                    let one_of = self.one_of;
                    self.numbered.retain(|(number, _)| is_selected(*number, one_of));
                }
            }
        }
    }

    /// Returns whether the sample is among the extremes so far, and adds it if so.
    fn is_extreme(&mut self, sample: &Sample, number: u64) -> bool {
        let extreme = Extreme { late: sample.oversleep().get(), number };
        let late = self.latest.len() < EXTREMES || self.latest.peek().is_some_and(|Reverse(least)| extreme > *least);
        if late {
            self.latest.push(Reverse(extreme));
            if self.latest.len() > EXTREMES {
                self.latest.pop();
            }
        }
        let early = self.earliest.len() < EXTREMES || self.earliest.peek().is_some_and(|most| extreme < *most);
        if early {
            self.earliest.push(extreme);
            if self.earliest.len() > EXTREMES {
                self.earliest.pop();
            }
        }
        late || early
    }

    /// Drops samples that are no longer extremes.
    fn forget(&mut self) {
        let numbers = self.extreme_numbers();
        self.extremes.retain(|(number, _)| numbers.binary_search(number).is_ok());
    }

    fn extreme_numbers(&self) -> Vec<u64> {
        let latest = self.latest.iter().map(|Reverse(extreme)| extreme.number);
        let mut numbers: Vec<u64> = latest.chain(self.earliest.iter().map(|extreme| extreme.number)).collect();
        numbers.sort_unstable();
        numbers
    }

    pub(super) fn finish(mut self) -> SelectedSamples {
        if self.one_of > 1 {
            self.forget();
            self.numbered.append(&mut self.extremes);
            self.numbered.sort_unstable_by_key(|(number, _)| *number);
            self.numbered.dedup_by_key(|(number, _)| *number);
        }
        let one_of = self.one_of;
        let is_extra = |(number, _): &(u64, Sample)| !is_selected(*number, one_of);
        let is_extra = if one_of > 1 { self.numbered.iter().map(is_extra).collect() } else { Vec::new() };
        let samples = self.numbered.into_iter().map(|(_, sample)| sample).collect();
        SelectedSamples { samples, is_extra, seen: self.seen, one_of }
    }
}

/// Returns whether the sample with this number is the one of `one_of` (a power of two) that is kept. A hash decides, so
/// that the selection has no period of its own.
fn is_selected(number: u64, one_of: u64) -> bool {
    let mut hash = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (hash ^ (hash >> 31)) & (one_of - 1) == 0
}
