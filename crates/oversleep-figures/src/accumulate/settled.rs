//! Statistics of an accumulator's values.

use super::counted::{Blocks, Counted};
use super::moments::Part;
use super::sparse::Sparse;
use crate::quantile::{self, Fraction};

/// The values of an accumulator, with sums over the counted ones.
pub struct Settled<'a> {
    counted: Option<(&'a Counted, Blocks)>,
    sparse: &'a mut Sparse,
}

impl<'a> Settled<'a> {
    pub(super) fn new(counted: Option<&'a Counted>, sparse: &'a mut Sparse) -> Self {
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
