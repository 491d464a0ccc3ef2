//! Counts of values from 0 to 262 µs, one bin per nanosecond.

use super::moments::Part;

/// Number of bins, one for each nanosecond from 0: most oversleeps are below it. The bins take 2 MiB, of which the
/// system provides only the pages that are touched.
pub(in super::super) const SPAN: usize = 1 << 18;

/// How often each value below [`SPAN`] was seen: exact, however many values there are.
#[derive(Debug, Clone)]
pub(super) struct Counted {
    bins: Box<[u64; SPAN]>,
}

impl Default for Counted {
    fn default() -> Self {
        let bins = vec![0; SPAN].into_boxed_slice();
        Self { bins: bins.try_into().unwrap_or_else(|_| unreachable!("made with this length")) }
    }
}

impl Counted {
    /// Counts a value; `false` if it is outside the bins.
    #[inline]
    pub(super) fn add(&mut self, ns: i64) -> bool {
        match usize::try_from(ns).ok().and_then(|index| self.bins.get_mut(index)) {
            Some(bin) => {
                *bin += 1;
                true
            }
            None => false,
        }
    }

    /// Returns every value that was seen, ascending, with its count.
    pub(super) fn each(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> {
        #[allow(clippy::cast_possible_wrap)] // below SPAN
        let seen = |(value, &count): (usize, &u64)| (count > 0).then_some((value as i64, count));
        self.bins.iter().enumerate().filter_map(seen)
    }

    /// Returns the bins; a bin's index is its value.
    pub(super) fn bins(&mut self) -> &mut [u64; SPAN] {
        &mut self.bins
    }

    pub(super) fn count(&self) -> u64 {
        self.bins.iter().sum()
    }

    /// Sums the bins block by block, for [`Self::at_rank`] and [`Blocks::moments`].
    pub(super) fn blocks(&self) -> Blocks {
        let (mut counts, mut sum, mut squares) = (Vec::with_capacity(SPAN / BLOCK), 0, 0);
        for (block, bins) in (0_u64..).zip(self.bins.chunks_exact(BLOCK)) {
            // Within a block the sums stay small, so the inner loop needs no 128-bit arithmetic.
            let (mut count, mut first, mut second) = (0, 0, 0);
            for (place, bin) in (0_u64..).zip(bins) {
                count += bin;
                first += bin * place;
                second += bin * place * place;
            }
            counts.push(count);
            let from = u128::from(block * BLOCK as u64);
            let (count, first, second) = (u128::from(count), u128::from(first), u128::from(second));
            sum += from * count + first;
            squares += from * from * count + 2 * from * first + second;
        }
        Blocks { counts, sum, squares }
    }

    /// Returns the value with this rank, from 1. `blocks` must come from [`Self::blocks`] on the same bins.
    pub(super) fn at_rank(&self, blocks: &Blocks, rank: u64) -> Option<i64> {
        let (mut place, mut rest) = (0, rank);
        for count in &blocks.counts {
            if rest <= *count {
                break;
            }
            rest -= count;
            place += BLOCK;
        }
        let within = self.bins.get(place..place + BLOCK)?.iter().position(|count| {
            let here = rest <= *count;
            rest = rest.saturating_sub(*count);
            here
        })?;
        i64::try_from(place + within).ok()
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.bins.iter_mut().zip(other.bins.iter()).for_each(|(mine, theirs)| *mine += theirs);
    }
}

/// Bins per block.
const BLOCK: usize = 1 << 9;

/// Sums over all bins, and the count of each block.
pub(super) struct Blocks {
    /// Number of values in each block.
    counts: Vec<u64>,
    /// Sum of the values.
    sum: u128,
    /// Sum of the squared values.
    squares: u128,
}

impl Blocks {
    pub(super) fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns number, mean and scatter of the values, each computed exactly and rounded once.
    pub(super) fn moments(&self) -> Part {
        let number = self.count();
        if number == 0 {
            return Part::default();
        }
        let count = u128::from(number);
        // n × Σx² − (Σx)²: below 2¹²⁷ for up to 2⁴⁵ values below 2¹⁸.
        let scatter = count * self.squares - self.sum * self.sum;
        let squares = scatter as f64 / count as f64;
        Part { count: number, mean: self.sum as f64 / count as f64, squares }
    }
}
