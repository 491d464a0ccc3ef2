//! Values of any size: kept exactly while they are few, in histograms when they are many.

use super::moments::{Moments, Part};
use hdrhistogram::Histogram;

/// Number of values (4 MiB) above which histograms take over.
pub(super) const EXACT: usize = 1 << 19;

/// Signed nanoseconds. Nothing is clipped: values below zero have their own histogram.
#[derive(Debug, Clone)]
pub(super) struct Sparse {
    early: u64,
    moments: Moments,
    min: i64,
    max: i64,
    values: Values,
    /// Indices in `Exact` whose values are known to be in sorted position, ascending: a later selection starts from
    /// them.
    sorted: Vec<usize>,
}

#[derive(Debug, Clone)]
enum Values {
    Exact(Vec<i64>),
    /// With three significant digits: quantiles are right to 0.1 %. Minimum, maximum, mean and deviation stay exact.
    Binned {
        negative: Histogram<u64>,
        positive: Histogram<u64>,
    },
}

impl Default for Sparse {
    fn default() -> Self {
        Self {
            early: 0,
            moments: Moments::default(),
            min: i64::MAX,
            max: i64::MIN,
            values: Values::Exact(Vec::new()),
            sorted: Vec::new(),
        }
    }
}

fn histogram() -> Histogram<u64> {
    // Up to an hour at first; the histogram grows by itself.
    let mut histogram = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("constant bounds are valid");
    histogram.auto(true);
    histogram
}

impl Sparse {
    /// Adds one value.
    pub(super) fn add(&mut self, ns: i64) {
        self.early += u64::from(ns < 0);
        self.min = self.min.min(ns);
        self.max = self.max.max(ns);
        self.moments.add(ns);
        self.keep(ns);
    }

    #[inline]
    fn keep(&mut self, ns: i64) {
        match &mut self.values {
            Values::Exact(values) if values.len() < EXACT => {
                values.push(ns);
                if !self.sorted.is_empty() {
                    self.sorted.clear();
                }
            }
            Values::Exact(_) => {
                self.spill();
                self.bin(ns);
            }
            Values::Binned { .. } => self.bin(ns),
        }
    }

    /// Moves all values from the exact list into histograms.
    fn spill(&mut self) {
        let Values::Exact(values) = &mut self.values else { return };
        let values = std::mem::take(values);
        self.sorted.clear();
        self.values = Values::Binned { negative: histogram(), positive: histogram() };
        for value in values {
            self.bin(value);
        }
    }

    /// Adds all values of another one.
    pub(super) fn merge(&mut self, other: &Self) {
        if other.count() == 0 {
            return;
        }
        self.moments.add_part(other.moments.whole());
        self.early += other.early;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        match &other.values {
            Values::Exact(values) => values.iter().for_each(|&value| self.keep(value)),
            Values::Binned { negative, positive } => {
                self.spill();
                if let Values::Binned { negative: below, positive: above } = &mut self.values {
                    below.add(negative).expect("a histogram that resizes takes any other");
                    above.add(positive).expect("a histogram that resizes takes any other");
                }
            }
        }
    }

    /// Adds `count` values that descend evenly from `highest` by `step`, none below zero, in time that does not grow
    /// with their number.
    pub(super) fn add_descending(&mut self, highest: i64, step: i64, count: u64) {
        let Some(more) = count.checked_sub(1) else { return };
        let lowest = highest - step * more.cast_signed();
        let mut positive = histogram();
        let (mut next, mut left) = (highest.unsigned_abs(), count);
        while left > 0 {
            let fit = (next - positive.lowest_equivalent(next)) / step.unsigned_abs() + 1;
            let taken = fit.min(left);
            // Memory for the whole range of u64 was there with the first and largest value.
            positive.record_n(next, taken).expect("a histogram that resizes takes any value");
            left -= taken;
            next = next.saturating_sub(taken * step.unsigned_abs());
        }
        let (n, step) = (count as f64, step as f64);
        let (mean, squares) = (f64::midpoint(highest as f64, lowest as f64), step * step * n * (n * n - 1.0) / 12.0);
        let mut moments = Moments::default();
        moments.add_part(Part { count, mean, squares });
        self.merge(&Self {
            early: 0,
            moments,
            min: lowest,
            max: highest,
            values: Values::Binned { negative: histogram(), positive },
            sorted: Vec::new(),
        });
    }

    fn bin(&mut self, ns: i64) {
        let Values::Binned { negative, positive } = &mut self.values else { return };
        let side = if ns < 0 { negative } else { positive };
        if side.record(ns.unsigned_abs()).is_err() {
            // The histogram resizes itself up to the whole range of u64; if that ever fails, the value is counted in
            // its last bin.
            side.saturating_record(ns.unsigned_abs());
        }
    }

    /// Returns the number of values.
    pub(super) fn count(&self) -> u64 {
        self.moments.count()
    }

    /// Returns the number of values below zero.
    pub(super) fn early(&self) -> u64 {
        self.early
    }

    /// Returns the smallest value.
    pub(super) fn min(&self) -> Option<i64> {
        (self.count() > 0).then_some(self.min)
    }

    /// Returns the largest value.
    pub(super) fn max(&self) -> Option<i64> {
        (self.count() > 0).then_some(self.max)
    }

    /// Returns number, mean and scatter of the values.
    pub(super) fn moments(&self) -> Part {
        self.moments.whole()
    }

    /// Returns the value with this rank, from 1.
    pub(super) fn at_rank(&mut self, rank: u64) -> Option<i64> {
        match rank {
            1 => return self.min(),
            last if last == self.count() => return self.max(),
            _ => {}
        }
        match &mut self.values {
            Values::Exact(values) => {
                let index = usize::try_from(rank.checked_sub(1)?).ok()?;
                (index < values.len()).then(|| select(values, &mut self.sorted, index))
            }
            Values::Binned { negative, positive } => {
                let below = negative.len();
                let value = if rank <= below {
                    // The smallest value is the negative one with the largest magnitude.
                    -signed(at(negative, below - rank + 1)?)
                } else {
                    signed(at(positive, rank - below)?)
                };
                Some(value.clamp(self.min, self.max))
            }
        }
    }

    /// Calls `enter` with every value and its count. From histograms: with the value of largest magnitude in each bin.
    pub(super) fn each(&self, mut enter: impl FnMut(i64, u64)) {
        match &self.values {
            Values::Exact(values) => values.iter().for_each(|&value| enter(value, 1)),
            Values::Binned { negative, positive } => {
                negative.iter_recorded().for_each(|bin| enter(-signed(bin.value_iterated_to()), bin.count_at_value()));
                positive.iter_recorded().for_each(|bin| enter(signed(bin.value_iterated_to()), bin.count_at_value()));
            }
        }
    }

    /// Returns the values, unless they have gone into histograms.
    pub(super) fn values(&self) -> Option<&[i64]> {
        match &self.values {
            Values::Exact(values) => Some(values),
            Values::Binned { .. } => None,
        }
    }
}

/// Returns the value at `index` in sorted order, selecting only between the nearest indices that are already in place.
fn select(values: &mut [i64], sorted: &mut Vec<usize>, index: usize) -> i64 {
    let Err(place) = sorted.binary_search(&index) else { return values[index] };
    let from = place.checked_sub(1).map_or(0, |before| sorted[before] + 1);
    let to = sorted.get(place).copied().unwrap_or(values.len());
    sorted.insert(place, index);
    *values[from..to].select_nth_unstable(index - from).1
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Returns the value with this rank in a histogram: the middle of its bin.
fn at(histogram: &Histogram<u64>, rank: u64) -> Option<u64> {
    let mut seen = 0;
    histogram.iter_recorded().find_map(|bin| {
        seen += bin.count_since_last_iteration();
        (seen >= rank).then(|| histogram.median_equivalent(bin.value_iterated_to()))
    })
}
