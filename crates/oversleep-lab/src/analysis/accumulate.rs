//! Values gathered one by one, exactly while they are few and in a histogram when they are many.

use super::quantile::{self, Fraction};
use hdrhistogram::Histogram;

/// Above this many values (4 MiB) a histogram takes over.
const EXACT: usize = 1 << 19;

/// Signed nanoseconds gathered for statistics. Nothing is clipped: values below zero have their own histogram.
#[derive(Debug, Clone)]
pub struct Accumulator {
    count: u64,
    early: u64,
    mean: f64,
    /// Sum of squared distances from the mean (Welford 1962).
    squares: f64,
    min: i64,
    max: i64,
    values: Values,
    /// Places in `Exact` known to hold what they would if all were sorted, ascending: what one selection has put
    /// in order the next one need not.
    sorted: Vec<usize>,
}

#[derive(Debug, Clone)]
enum Values {
    Exact(Vec<i64>),
    /// Three significant digits: quantiles are right to 0.1 %. Minimum, maximum, mean and deviation stay exact.
    Binned {
        negative: Histogram<u64>,
        positive: Histogram<u64>,
    },
}

impl Default for Accumulator {
    fn default() -> Self {
        Self {
            count: 0,
            early: 0,
            mean: 0.0,
            squares: 0.0,
            min: i64::MAX,
            max: i64::MIN,
            values: Values::Exact(Vec::new()),
            sorted: Vec::new(),
        }
    }
}

fn histogram() -> Histogram<u64> {
    // An hour to begin with; it grows by itself.
    let mut histogram = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("constant bounds are valid");
    histogram.auto(true);
    histogram
}

impl Accumulator {
    /// Takes one value.
    pub fn add(&mut self, ns: i64) {
        self.count += 1;
        self.early += u64::from(ns < 0);
        self.min = self.min.min(ns);
        self.max = self.max.max(ns);
        let distance = ns as f64 - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (ns as f64 - self.mean);
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

    /// From exact values to histograms.
    fn spill(&mut self) {
        let Values::Exact(values) = &mut self.values else { return };
        let values = std::mem::take(values);
        self.sorted.clear();
        self.values = Values::Binned { negative: histogram(), positive: histogram() };
        for value in values {
            self.bin(value);
        }
    }

    /// Takes everything another one has taken. Mean and deviation by the pairwise update of Chan et al.,
    /// "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (mine, theirs) = (self.count as f64, other.count as f64);
        let distance = other.mean - self.mean;
        self.mean += distance * theirs / (mine + theirs);
        self.squares += other.squares + distance * distance * mine * theirs / (mine + theirs);
        self.count += other.count;
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

    fn bin(&mut self, ns: i64) {
        let Values::Binned { negative, positive } = &mut self.values else { return };
        let side = if ns < 0 { negative } else { positive };
        if side.record(ns.unsigned_abs()).is_err() {
            // It resizes by itself up to the whole range of u64; should it ever not, the value is kept at its end.
            side.saturating_record(ns.unsigned_abs());
        }
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many below zero.
    pub fn early(&self) -> u64 {
        self.early
    }

    /// The smallest.
    pub fn min(&self) -> Option<i64> {
        (self.count > 0).then_some(self.min)
    }

    /// The largest.
    pub fn max(&self) -> Option<i64> {
        (self.count > 0).then_some(self.max)
    }

    /// The mean, in nanoseconds.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The sample standard deviation (n − 1), in nanoseconds.
    pub fn deviation(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }

    /// Whether quantiles are exact, not from a histogram.
    pub fn exact(&self) -> bool {
        matches!(self.values, Values::Exact(_))
    }

    /// The quantile, whether or not the count carries it (see [`quantile::carried`]).
    pub fn quantile(&mut self, p: Fraction) -> Option<i64> {
        if self.count == 0 { None } else { self.at_rank(quantile::rank(self.count, p)) }
    }

    /// The value of this rank, from 1.
    pub fn at_rank(&mut self, rank: u64) -> Option<i64> {
        match rank {
            1 => return self.min(),
            last if last == self.count => return self.max(),
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
                    // The smallest value is the negative one of largest size.
                    -signed(at(negative, below - rank + 1)?)
                } else {
                    signed(at(positive, rank - below)?)
                };
                Some(value.clamp(self.min, self.max))
            }
        }
    }

    /// Counts per bin between `edges` (ascending): one more count than edges, the first below the first edge.
    pub fn counts(&self, edges: &[i64]) -> Vec<u64> {
        let mut counts = vec![0; edges.len() + 1];
        let mut enter = |value: i64, count: u64| counts[edges.partition_point(|&edge| edge <= value)] += count;
        match &self.values {
            Values::Exact(values) => values.iter().for_each(|&value| enter(value, 1)),
            Values::Binned { negative, positive } => {
                negative.iter_recorded().for_each(|bin| enter(-signed(bin.value_iterated_to()), bin.count_at_value()));
                positive.iter_recorded().for_each(|bin| enter(signed(bin.value_iterated_to()), bin.count_at_value()));
            }
        }
        counts
    }
}

/// The value that would stand at `index` if all were sorted, looked for between the neighbours already in place.
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

/// The value of this rank in a histogram.
fn at(histogram: &Histogram<u64>, rank: u64) -> Option<u64> {
    let mut seen = 0;
    histogram.iter_recorded().find_map(|bin| {
        seen += bin.count_since_last_iteration();
        (seen >= rank).then(|| histogram.median_equivalent(bin.value_iterated_to()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(count: usize) -> Accumulator {
        let mut values = Accumulator::default();
        // A full cycle of a multiplicative generator: every value once, in no order.
        let mut value = 1_u64;
        for _ in 0..count {
            value = value * 48_271 % 2_147_483_647;
            values.add(value.cast_signed() - 500_000_000);
        }
        values
    }

    #[test]
    fn few_values_are_exact() {
        let mut values = Accumulator::default();
        for value in [5, -3, 1, 9, 7] {
            values.add(value);
        }
        assert_eq!((values.count(), values.early(), values.min(), values.max()), (5, 1, Some(-3), Some(9)));
        assert_eq!(values.quantile(Fraction::P50), Some(5));
        assert_eq!(values.mean(), Some(3.8));
        assert!((values.deviation().unwrap() - 4.816_637).abs() < 1e-6);
        assert_eq!(values.counts(&[0, 6]), [1, 2, 2]);
        assert!(values.exact());
    }

    #[test]
    fn many_values_keep_their_sign_and_three_digits() {
        let mut many = spread(EXACT + 10_000);
        assert!(!many.exact());
        let mut sorted = Vec::new();
        let mut value = 1_u64;
        for _ in 0..EXACT + 10_000 {
            value = value * 48_271 % 2_147_483_647;
            sorted.push(value.cast_signed() - 500_000_000);
        }
        sorted.sort_unstable();
        for p in [Fraction::P50, Fraction::P90, Fraction::P99, Fraction::P999] {
            let (binned, exact) = (many.quantile(p).unwrap(), quantile::of_sorted(&sorted, p).unwrap());
            assert!((binned - exact).abs() <= exact.abs() / 1_000 + 1, "{binned} against {exact}");
        }
        assert_eq!(many.early(), sorted.iter().filter(|&&value| value < 0).count() as u64);
        assert_eq!(many.at_rank(1), many.min());
        assert_eq!(many.counts(&[0]).iter().sum::<u64>(), many.count());
        assert_eq!(many.counts(&[0])[0], many.early());
    }

    #[test]
    fn ranks_come_in_any_order_and_between_additions() {
        let mut values = spread(1_000);
        let Values::Exact(mut sorted) = values.values.clone() else { panic!("few values are exact") };
        sorted.sort_unstable();
        for rank in [500, 900, 990, 999, 470, 530, 2, 500, 1, 1_000, 501] {
            assert_eq!(values.at_rank(rank), Some(sorted[usize::try_from(rank).unwrap() - 1]), "rank {rank}");
        }
        values.add(i64::MIN + 1);
        assert_eq!(values.at_rank(2), Some(sorted[0]));
        assert_eq!(values.at_rank(501), Some(sorted[499]));
    }

    #[test]
    fn two_merged_are_as_one() {
        for (one, other) in [(0, 5), (5, 0), (7, 9), (EXACT + 3, 5), (5, EXACT + 3), (EXACT - 2, EXACT - 2)] {
            let mut whole = spread(one + other);
            let mut first = spread(one);
            let mut second = Accumulator::default();
            let mut value = 1_u64;
            for number in 0..one + other {
                value = value * 48_271 % 2_147_483_647;
                if number >= one {
                    second.add(value.cast_signed() - 500_000_000);
                }
            }
            first.merge(&second);
            assert_eq!((first.count(), first.early()), (whole.count(), whole.early()));
            assert_eq!((first.min(), first.max()), (whole.min(), whole.max()));
            assert_eq!(first.exact(), whole.exact());
            assert_eq!(first.quantile(Fraction::P50), whole.quantile(Fraction::P50));
            assert_eq!(first.quantile(Fraction::P999), whole.quantile(Fraction::P999));
            assert!((first.mean().unwrap() - whole.mean().unwrap()).abs() < 1e-3);
            assert!((first.deviation().unwrap() / whole.deviation().unwrap() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn nothing_has_no_statistics() {
        let mut empty = Accumulator::default();
        assert_eq!((empty.min(), empty.max(), empty.mean(), empty.deviation()), (None, None, None, None));
        assert_eq!(empty.quantile(Fraction::P50), None);
    }

    #[test]
    fn the_ends_of_the_range_neither_wrap_nor_vanish() {
        let mut values = Accumulator::default();
        for _ in 0..=EXACT {
            values.add(i64::MIN);
            values.add(i64::MAX);
        }
        assert!(!values.exact());
        assert_eq!((values.min(), values.max()), (Some(i64::MIN), Some(i64::MAX)));
        assert_eq!(values.at_rank(1), Some(i64::MIN));
        assert_eq!(values.counts(&[0]), [EXACT as u64 + 1, EXACT as u64 + 1]);
    }
}
