//! Tables of counts: a row for each bucket, a column for each thread or processor.

use super::line_reader::LineFault;
use oversleep_sys::units::gcd;

/// Number of counts other than zero above which a table is refused, because each takes memory.
const MOST: usize = 1 << 22;

/// The counts of a table by column, without zeros, of which most tables have millions.
#[derive(Default)]
pub(super) struct Buckets {
    columns: Vec<Vec<(i64, u64)>>,
    last: Option<i64>,
    width: u128,
    filled: usize,
}

impl Buckets {
    /// Adds a row, which must have as many counts as the first.
    pub(super) fn add(&mut self, bucket: i64, counts: &[u64]) -> Result<(), LineFault> {
        if self.last.is_none() {
            self.columns.resize_with(counts.len(), Vec::new);
        }
        if counts.is_empty() || counts.len() != self.columns.len() {
            return Err("as many counts as in the rows before".into());
        }
        for (column, count) in self.columns.iter_mut().zip(counts).filter(|(_, count)| **count > 0) {
            column.push((bucket, *count));
            self.filled += 1;
        }
        if self.filled > MOST {
            return Err(LineFault::TooMuch("more than 4194304 counts that are not zero"));
        }
        self.width = gcd(bucket.unsigned_abs().into(), self.width);
        self.last = Some(bucket);
        Ok(())
    }

    /// Adds a row whose bucket must be above that of the row before.
    pub(super) fn add_above(&mut self, bucket: i64, counts: &[u64]) -> Result<(), LineFault> {
        if self.last.is_some_and(|last| last >= bucket) && counts.len() == self.columns.len() {
            return Err("a bucket above the one before".into());
        }
        self.add(bucket, counts)
    }

    /// Returns the number of columns, if there is a row.
    pub(super) fn columns(&self) -> Option<usize> {
        self.last.map(|_| self.columns.len())
    }

    /// Iterates over the buckets of a column in which something was counted, with the counts.
    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = (i64, u64)> {
        self.columns.get(column).into_iter().flatten().copied()
    }

    /// Returns the bucket of the last row.
    pub(super) fn last(&self) -> Option<i64> {
        self.last
    }

    /// Returns the width of buckets: the greatest common divisor of their values.
    pub(super) fn width(&self) -> i64 {
        i64::try_from(self.width).unwrap_or(i64::MAX).max(1)
    }
}
