//! Statistics of what was gathered.

use super::counted::Counted;
use super::sparse::Sparse;
use crate::analysis::quantile::{self, Fraction};

/// Everything gathered, in order where that is needed.
pub struct Settled<'a> {
    /// Values that were counted, ascending, each with how many there are up to and with it.
    counted: Vec<(i64, u64)>,
    /// Their mean and sum of squared distances from it.
    moments: Option<(f64, f64)>,
    sparse: &'a mut Sparse,
}

impl<'a> Settled<'a> {
    pub(super) fn new(counted: Option<&Counted>, sparse: &'a mut Sparse) -> Self {
        let mut up_to = 0;
        let running = |(value, count): (i64, u64)| {
            up_to += count;
            (value, up_to)
        };
        let counted: Vec<_> = counted.map(|counted| counted.each().map(running).collect()).unwrap_or_default();
        Self { moments: moments(&counted), counted, sparse }
    }

    fn among(&self) -> u64 {
        self.counted.last().map_or(0, |(_, up_to)| *up_to)
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        self.among() + self.sparse.count()
    }

    /// How many below zero.
    pub fn early(&self) -> u64 {
        self.sparse.early()
    }

    /// The smallest.
    pub fn min(&self) -> Option<i64> {
        self.counted.first().map(|(value, _)| *value).into_iter().chain(self.sparse.min()).min()
    }

    /// The largest.
    pub fn max(&self) -> Option<i64> {
        self.counted.last().map(|(value, _)| *value).into_iter().chain(self.sparse.max()).max()
    }

    /// The mean, in nanoseconds.
    pub fn mean(&self) -> Option<f64> {
        self.moments().map(|(mean, _)| mean)
    }

    /// The sample standard deviation (n − 1), in nanoseconds.
    pub fn deviation(&self) -> Option<f64> {
        let count = self.count();
        (count > 1).then(|| self.moments().map(|(_, squares)| (squares / (count - 1) as f64).sqrt()))?
    }

    /// Mean and sum of squared distances from it, of both parts together: the pairwise update of Chan et al.,
    /// "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
    fn moments(&self) -> Option<(f64, f64)> {
        let sparse = self.sparse.mean().map(|mean| (mean, self.sparse.squares()));
        let Some((mean, squares)) = self.moments else { return sparse };
        let Some((other_mean, other_squares)) = sparse else { return Some((mean, squares)) };
        let (theirs, all) = (self.sparse.count() as f64, self.count() as f64);
        let distance = other_mean - mean;
        Some((
            mean + distance * theirs / all,
            squares + other_squares + distance * distance * (all - theirs) * theirs / all,
        ))
    }

    /// Whether quantiles are exact, not from a histogram.
    pub fn exact(&self) -> bool {
        self.sparse.values().is_some()
    }

    /// The quantile, whether or not the count carries it (see [`quantile::carried`]).
    pub fn quantile(&mut self, p: Fraction) -> Option<i64> {
        let count = self.count();
        if count == 0 { None } else { self.at_rank(quantile::rank(count, p)) }
    }

    /// The value of this rank, from 1.
    pub fn at_rank(&mut self, rank: u64) -> Option<i64> {
        let among = self.among();
        // What was not counted lies below all that was, or above.
        let below = if among == 0 { 0 } else { self.sparse.early() };
        if among > 0 && rank > below && rank - below <= among {
            let place = self.counted.partition_point(|(_, up_to)| *up_to < rank - below);
            return self.counted.get(place).map(|(value, _)| *value);
        }
        self.sparse.at_rank(if rank > below { rank - among } else { rank })
    }
}

/// The mean is exact before its one rounding. `None` of nothing.
fn moments(counted: &[(i64, u64)]) -> Option<(f64, f64)> {
    let (_, count) = counted.last()?;
    let mut before = 0;
    let each: Vec<(i64, u64)> =
        counted.iter().map(|(value, up_to)| (*value, up_to - std::mem::replace(&mut before, *up_to))).collect();
    let sum: i128 = each.iter().map(|(value, count)| i128::from(*value) * i128::from(*count)).sum();
    let mean = sum as f64 / *count as f64;
    let squares = each.iter().map(|(value, count)| (*value as f64 - mean).powi(2) * *count as f64).sum();
    Some((mean, squares))
}
