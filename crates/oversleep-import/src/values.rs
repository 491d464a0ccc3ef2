//! Values without times, counted exactly: the result of lists of figures.

use super::whole_file::times;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Number of different values, of all threads together, above which a list is refused, because each takes memory.
const MOST: usize = 1 << 22;

/// Error of too many different values.
pub(super) const MANY: &str =
    "more than 4194304 different values up to here; record for a shorter time or in a coarser unit";

/// Error of a value out of range.
pub(super) const LONG: &str = "a time beyond 146 years";

/// Values and their counts.
#[derive(Debug, Default)]
pub(super) struct Values {
    counts: BTreeMap<i64, u64>,
    sum: f64,
    count: u64,
}

impl Values {
    /// Counts a value. `kept` is the number of different ones in all lists of the file; `false` if those are too many.
    pub(super) fn add(&mut self, value: i64, kept: &mut usize) -> bool {
        let before = self.counts.len();
        *self.counts.entry(value).or_insert(0) += 1;
        self.sum += value as f64;
        self.count += 1;
        *kept += self.counts.len() - before;
        *kept <= MOST
    }

    /// Returns the distribution of values that were cut off to whole units: each is at least its value, and less than
    /// one unit more. In nanoseconds it is exactly its value.
    pub(super) fn distribution(
        &self,
        cell: u32,
        quantity: Quantity,
        unit: i64,
        lost: Vec<Loss>,
    ) -> Option<Distribution> {
        let bucket = |value: i64| {
            let low = times(value, unit)?;
            Some((low, low + Nanos::new(unit - 1)))
        };
        let buckets: Option<Vec<_>> =
            self.counts.iter().map(|(value, count)| bucket(*value).map(|(low, high)| (low, high, *count))).collect();
        let buckets = buckets?;
        Some(Distribution {
            cell,
            quantity,
            count: self.count,
            outside_from: None,
            min: buckets.first().map(|(low, _, _)| *low),
            max: buckets.last().map(|(_, high, _)| *high),
            mean_ns: (self.count > 0).then(|| self.sum / self.count as f64 * unit as f64),
            buckets,
            lost,
        })
    }
}
