//! The encoding of a histogram, version 2: 40 bytes with its range and precision, then its counters in order, each a number
//! of up to nine bytes. A negative number stands for that many counters of zero.
//!
//! The decoder of the crate `hdrhistogram` takes memory for all counters of the range that a histogram states, up to 50 MB, and
//! time to look for those that are not zero. Here both grow with the length of the encoding.

/// First bytes of an encoded histogram, and the number of bytes before its counters.
const COOKIE: [u8; 4] = 0x1c84_9313_u32.to_be_bytes();
const HEAD: usize = 40;

/// Which values a histogram's counters are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Layout {
    /// Binary logarithm of the unit.
    unit: u8,
    /// Binary logarithm of half the number of counters in a bucket. All but the first bucket use that half.
    half: u8,
}

/// A valid encoded histogram.
pub(super) struct Encoded<'a> {
    layout: Layout,
    counters: &'a [u8],
    length: usize,
}

impl Layout {
    /// Returns the layout for values from `low` on with this number of decimal digits, as the algorithm's original
    /// computes it; `None` if it has none.
    fn new(low: u64, digits: u32) -> Option<Self> {
        if low < 1 || digits > 5 {
            return None;
        }
        // The first bucket has a counter for every unit up to 2·10ⁿ at least.
        let counters = (2 * 10_u64.pow(digits)).next_power_of_two().ilog2();
        let unit = low.ilog2();
        let (unit, half) = (u8::try_from(unit).ok()?, u8::try_from(counters - 1).ok()?);
        (u32::from(unit) + counters <= 63).then_some(Self { unit, half })
    }

    /// Returns the number of counters for values up to `high`.
    fn counters(self, high: u64) -> usize {
        let first = self.unit + self.half + 1;
        let buckets = high.checked_ilog2().map_or(1, |top| top.saturating_sub(u32::from(first) - 1) + 1);
        (buckets as usize + 1) << self.half
    }

    /// Returns the smallest and the largest value of a counter.
    pub(super) fn bucket(self, index: usize) -> (u64, u64) {
        let bucket = (index >> self.half).saturating_sub(1);
        let place = index - (bucket << self.half);
        let magnitude = u32::from(self.unit) + u32::try_from(bucket).unwrap_or(u32::MAX);
        let low = u64::try_from(place).unwrap_or(u64::MAX) << magnitude;
        (low, low.saturating_add(1 << magnitude) - 1)
    }
}

/// Returns whether these bytes begin a histogram whose counters are of scaled values.
pub(super) fn is_scaled(bytes: &[u8]) -> bool {
    let ratio = bytes.get(32..HEAD).and_then(|ratio| ratio.try_into().ok()).map(u64::from_be_bytes);
    bytes.starts_with(&COOKIE) && ratio.is_some_and(|ratio| ratio != 1.0_f64.to_bits())
}

impl<'a> Encoded<'a> {
    /// Returns the histogram that these bytes encode, if all of them are valid.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let four = |at: usize| head.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
        let eight = |at: usize| head.get(at..at + 8)?.try_into().ok().map(u64::from_be_bytes);
        let (length, offset, digits) = (four(4)?, four(8)?, four(12)?);
        let (low, high, ratio) = (eight(16)?, eight(24)?, eight(32)?);
        let ours = head.starts_with(&COOKIE) && offset == 0 && ratio == 1.0_f64.to_bits();
        let in_range = low <= u64::MAX / 2 && high >= low * 2;
        if !ours || !in_range {
            return None;
        }
        let layout = Layout::new(low, digits)?;
        let counters = rest.get(..usize::try_from(length).ok()?)?;
        let mut this = Self { layout, counters, length: 0 };
        let most = layout.counters(high);
        for counter in this.numbers() {
            let (index, count) = counter?;
            if count > 0 {
                this.length = index + 1;
            }
        }
        (this.length <= most).then_some(this)
    }

    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns the number of counters up to the last one that is not zero.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Iterates over the counters that are not zero, with their indices.
    pub(super) fn counts(&self) -> impl Iterator<Item = (usize, u64)> {
        self.numbers().flatten().filter(|(_, count)| *count > 0)
    }

    /// Iterates over all numbers: the index of the counter, and its count, which is 0 for a run of zeros; `None` for what is
    /// not a number.
    fn numbers(&self) -> impl Iterator<Item = Option<(usize, u64)>> + use<'a> {
        let (mut rest, mut index) = (self.counters, 0_usize);
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let mut next = || {
                let number = number(&mut rest)?;
                let at = index;
                let counters = if number < 0 { usize::try_from(number.unsigned_abs()).ok()? } else { 1 };
                index = index.checked_add(counters)?;
                Some((at, u64::try_from(number).unwrap_or(0)))
            };
            let next = next();
            count_work(1);
            if next.is_none() {
                rest = &[];
            }
            Some(next)
        })
    }
}

#[cfg(test)]
thread_local! {
    /// Number of numbers decoded and of counters made or visited, by which a test knows how much is done.
    pub(super) static WORK: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts work that grows with a log.
pub(super) fn count_work(steps: usize) {
    #[cfg(test)]
    WORK.with(|work| work.set(work.get() + steps));
    let _ = steps;
}

/// Takes a number from the beginning of these bytes: seven bits of each of eight bytes, the lowest first, then all of a
/// ninth. The lowest bit of the number is its sign.
fn number(bytes: &mut &[u8]) -> Option<i64> {
    let mut folded = 0;
    for place in 0..9 {
        let byte = *bytes.split_off_first()?;
        if place == 8 || byte & 0x80 == 0 {
            folded |= u64::from(byte) << (7 * place);
            break;
        }
        folded |= u64::from(byte & 0x7F) << (7 * place);
    }
    Some((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::Histogram;
    use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;
    use std::io::Cursor;

    /// Returns the buckets with their counts, as the crate reads them.
    fn expected(bytes: &[u8]) -> Option<Vec<(u64, u64, u64)>> {
        let histogram: Histogram<u64> = Deserializer::new().deserialize(&mut Cursor::new(bytes)).ok()?;
        let bucket = |value: u64| (histogram.lowest_equivalent(value), histogram.highest_equivalent(value));
        let bins = histogram.iter_recorded().map(|bin| (bucket(bin.value_iterated_to()), bin.count_at_value()));
        Some(bins.map(|((low, high), count)| (low, high, count)).collect())
    }

    fn decoded(bytes: &[u8]) -> Option<Vec<(u64, u64, u64)>> {
        let encoded = Encoded::read(bytes)?;
        let bucket = |(index, count)| {
            let (low, high) = encoded.layout.bucket(index);
            (low, high, count)
        };
        Some(encoded.counts().map(bucket).collect())
    }

    #[test]
    fn histograms_are_read_as_their_crate_reads_them() {
        let seed = 0x0041_06E9;
        println!("seed {seed}");
        let mut random = Pcg64::seed_from_u64(seed);
        for digits in 0..=5 {
            for low in [1, 2, 3, 1_000, 1 << 20] {
                for high in [2 * low, 40 * low, 3_600_000_000_000, u64::MAX / 2, u64::MAX] {
                    let Ok(mut histogram) = Histogram::<u64>::new_with_bounds(low, high, digits) else { continue };
                    for _ in 0..200 {
                        let value = random.random::<u64>() >> random.random_range(0..64);
                        histogram
                            .saturating_record_n(value, 1 + (random.random::<u64>() >> random.random_range(16..64)));
                    }
                    let mut bytes = Vec::new();
                    V2Serializer::new().serialize(&histogram, &mut bytes).unwrap();
                    assert_eq!(decoded(&bytes), expected(&bytes), "{low} to {high}, {digits} digits");
                    assert!(decoded(&bytes).is_some());
                    // What is cut off or changed is refused where the crate refuses it.
                    let cut = &bytes[..random.random_range(0..bytes.len())];
                    assert_eq!(decoded(cut), expected(cut), "{cut:?}");
                    let mut changed = bytes.clone();
                    let place = random.random_range(HEAD..bytes.len());
                    changed[place] ^= 1 << random.random_range(0..8);
                    assert_eq!(decoded(&changed), expected(&changed), "{place} of {changed:?}");
                }
            }
        }
    }
}
