//! Accumulation of values one by one, in memory that does not grow with their number.

mod counted;
mod moments;
mod sparse;

pub(super) use counted::SPAN;

use super::quantile::{self, Fraction};
use counted::{Blocks, Counted};
use moments::Part;
use sparse::Sparse;

/// Number of values from which on those below [`SPAN`] are counted instead of kept.
const FEW: u64 = 1 << 10;

/// Number of values at even distances above which those that go into histograms anyway go there together.
const AT_ONCE: u64 = 1 << 14;

/// Signed nanoseconds, accumulated for statistics.
///
/// Few values are all kept. Of many, those from 0 to 262 µs are counted nanosecond by nanosecond, which is exact and
/// costs a few instructions each; the others are kept up to half a million and then go into histograms.
#[derive(Debug, Clone, Default)]
pub struct Accumulator {
    counted: Option<Counted>,
    sparse: Sparse,
}

impl Accumulator {
    /// Adds one value.
    #[inline]
    pub fn add(&mut self, ns: i64) {
        if let Some(counted) = &mut self.counted
            && counted.add(ns)
        {
            return;
        }
        self.sparse.add(ns);
        if self.counted.is_none() && self.sparse.count() >= FEW {
            self.count_what_can_be();
        }
    }

    /// Adds `count` values that descend evenly from `highest` by `step` > 0, none below zero, in time that does not grow
    /// with their number.
    pub(super) fn add_descending(&mut self, highest: i64, step: i64, count: u64) {
        let most = if self.sparse.count() > sparse::EXACT as u64 { AT_ONCE } else { sparse::EXACT as u64 };
        let in_histograms = if count > most {
            // The last ones may have bins of a nanosecond.
            count - count.min((SPAN as u64).div_ceil(step.unsigned_abs()))
        } else {
            0
        };
        if in_histograms > 0 {
            if self.counted.is_none() {
                self.count_what_can_be();
            }
            self.sparse.add_descending(highest, step, in_histograms);
        }
        (in_histograms..count).for_each(|number| self.add(highest - step * number.cast_signed()));
    }

    /// Returns the single-nanosecond bins, from 0, to add to directly; `None` while values are still kept.
    #[inline]
    pub(super) fn bins(&mut self) -> Option<&mut [u64; SPAN]> {
        self.counted.as_mut().map(Counted::bins)
    }

    /// Switches from keeping to counting for all values that have a bin.
    #[cold]
    fn count_what_can_be(&mut self) {
        let mut counted = Counted::default();
        let kept = std::mem::take(&mut self.sparse);
        kept.each(|value, _| {
            if !counted.add(value) {
                self.sparse.add(value);
            }
        });
        self.counted = Some(counted);
    }

    /// Adds all values of another accumulator.
    pub fn merge(&mut self, other: &Self) {
        if let Some(theirs) = &other.counted {
            if self.counted.is_none() {
                self.count_what_can_be();
            }
            if let Some(mine) = &mut self.counted {
                mine.merge(theirs);
            }
        }
        match other.sparse.values() {
            Some(values) => values.iter().for_each(|&value| self.add(value)),
            // With more values than are kept exactly, those that have a bin are counted already: none of these has one.
            None => self.sparse.merge(&other.sparse),
        }
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.counted.as_ref().map_or(0, Counted::count) + self.sparse.count()
    }

    /// Returns the smallest value.
    pub fn min(&self) -> Option<i64> {
        let counted = self.counted.as_ref().and_then(|counted| counted.each().next());
        counted.map(|(value, _)| value).into_iter().chain(self.sparse.min()).min()
    }

    /// Returns the largest value.
    pub fn max(&self) -> Option<i64> {
        let counted = self.counted.as_ref().and_then(|counted| counted.each().next_back());
        counted.map(|(value, _)| value).into_iter().chain(self.sparse.max()).max()
    }

    /// Returns the statistics of the values so far.
    pub fn settle(&mut self) -> Settled<'_> {
        Settled::new(self.counted.as_ref(), &mut self.sparse)
    }

    /// Returns the counts between `edges` (ascending): one more count than edges, the first for values below the first
    /// edge.
    pub fn counts(&self, edges: &[i64]) -> Vec<u64> {
        let mut counts = vec![0; edges.len() + 1];
        let mut enter = |value: i64, count: u64| counts[edges.partition_point(|&edge| edge <= value)] += count;
        if let Some(counted) = &self.counted {
            counted.each().for_each(|(value, count)| enter(value, count));
        }
        self.sparse.each(enter);
        counts
    }

    /// Returns the number of values above `limit`, and their sum.
    pub(super) fn above(&self, limit: i64) -> (u64, i128) {
        let (mut above, mut sum) = (0, 0);
        let mut enter = |value: i64, count: u64| {
            if value > limit {
                above += count;
                sum += i128::from(value) * i128::from(count);
            }
        };
        if let Some(counted) = &self.counted {
            counted.each().for_each(|(value, count)| enter(value, count));
        }
        self.sparse.each(enter);
        (above, sum)
    }

    /// Returns whether the number of values above `limit` is exact: no histogram has a bin with values on both sides of it.
    pub(super) fn is_exact_at(&self, limit: i64) -> bool {
        let has_bin = usize::try_from(limit).is_ok_and(|limit| limit < SPAN);
        self.sparse.values().is_some() || has_bin
    }
}

/// The values of an accumulator, with sums over the counted ones.
pub struct Settled<'a> {
    counted: Option<(&'a Counted, Blocks)>,
    sparse: &'a mut Sparse,
}

impl<'a> Settled<'a> {
    fn new(counted: Option<&'a Counted>, sparse: &'a mut Sparse) -> Self {
        Self { counted: counted.map(|counted| (counted, counted.blocks())), sparse }
    }

    fn among(&self) -> u64 {
        self.counted.as_ref().map_or(0, |(_, blocks)| blocks.count())
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.among() + self.sparse.count()
    }

    /// Returns the number of values below zero.
    pub fn early(&self) -> u64 {
        self.sparse.early()
    }

    /// Returns the smallest value.
    pub fn min(&mut self) -> Option<i64> {
        self.at_rank(1)
    }

    /// Returns the largest value.
    pub fn max(&mut self) -> Option<i64> {
        self.at_rank(self.count())
    }

    /// Returns the mean, in nanoseconds.
    pub fn mean(&self) -> Option<f64> {
        self.moments().map(|(mean, _)| mean)
    }

    /// Returns the sample standard deviation (n − 1), in nanoseconds.
    pub fn deviation(&self) -> Option<f64> {
        let count = self.count();
        (count > 1).then(|| self.moments().map(|(_, squares)| (squares / (count - 1) as f64).sqrt()))?
    }

    /// Returns the mean and the sum of squared distances from it, of counted and other values together.
    fn moments(&self) -> Option<(f64, f64)> {
        let counted = self.counted.as_ref().map_or_else(Part::default, |(_, blocks)| blocks.moments());
        let all = counted.with(self.sparse.moments());
        (all.count > 0).then_some((all.mean, all.squares))
    }

    /// Returns whether quantiles are exact, not read from a histogram.
    pub fn exact(&self) -> bool {
        self.sparse.values().is_some()
    }

    /// Returns the quantile, whether or not there are enough values for it (see [`quantile::supports_quantile`]).
    pub fn quantile(&mut self, p: Fraction) -> Option<i64> {
        let count = self.count();
        if count == 0 { None } else { self.at_rank(quantile::rank(count, p)) }
    }

    /// Returns the value with this rank, from 1.
    pub fn at_rank(&mut self, rank: u64) -> Option<i64> {
        // Values that were not counted are below all that were, or above.
        let among = self.among();
        let below = if among == 0 { self.sparse.count() } else { self.sparse.early() };
        match &self.counted {
            _ if rank <= below => self.sparse.at_rank(rank),
            Some((counted, blocks)) if rank - below <= among => counted.at_rank(blocks, rank - below),
            _ => self.sparse.at_rank(rank - among),
        }
    }
}

#[cfg(test)]
mod tests;
