//! The latest sleeps so far.

use oversleep_sys::units::Nanos;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How late the latest sleeps so far were, at most a given number of them. What was recorded around a sleep is soon lost, so
/// a sleep is examined as soon as it is one of the latest so far; later ones may take its place.
#[derive(Debug)]
pub(crate) struct LatestSleeps {
    most: u64,
    /// The least of them is at the top.
    late: BinaryHeap<Reverse<Nanos>>,
}

impl LatestSleeps {
    /// Returns a list of at most `most` sleeps, which is empty.
    pub(crate) fn new(most: u64) -> Self {
        Self { most, late: BinaryHeap::new() }
    }

    /// Adds a sleep if it is among the latest so far, in place of the least late of them if there are enough. Returns
    /// whether it is.
    pub(crate) fn admit(&mut self, late: Nanos) -> bool {
        if self.late.len() as u64 >= self.most {
            if self.late.peek().is_none_or(|Reverse(least)| late <= *least) {
                return false;
            }
            self.late.pop();
        }
        self.late.push(Reverse(late));
        true
    }
}
