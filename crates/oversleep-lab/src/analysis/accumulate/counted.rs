//! Values between 0 and 262 µs, counted one nanosecond at a time.

/// Bins, one for each nanosecond from 0: where most oversleeps lie. 2 MiB, of which the system provides only pages
/// that are touched.
pub(super) const SPAN: usize = 1 << 18;

/// How often each value below [`SPAN`] was seen. Exact, whatever their number.
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
    /// Takes a value; `false` if it lies outside.
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

    /// Every value that was seen, ascending, and how often.
    pub(super) fn each(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> {
        #[allow(clippy::cast_possible_wrap)] // below SPAN
        let seen = |(value, &count): (usize, &u64)| (count > 0).then_some((value as i64, count));
        self.bins.iter().enumerate().filter_map(seen)
    }

    /// The bins, by value.
    pub(super) fn bins(&mut self) -> &mut [u64; SPAN] {
        &mut self.bins
    }

    pub(super) fn count(&self) -> u64 {
        self.bins.iter().sum()
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.bins.iter_mut().zip(other.bins.iter()).for_each(|(mine, theirs)| *mine += theirs);
    }
}
