//! Logs of HdrHistogram (`.hlog`), as written by jHiccup and others: one encoded histogram per interval.

use super::whole_file::{Builder, LineFault, by_line, has};
use super::{ImportError, ImportOptions, Importer, Records};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;
use std::io::{BufRead, Cursor};

/// Reads such logs.
pub(super) struct Hlog;

const FORMAT: &str = "hdrhistogram-log";

const HICCUP: &str = "jHiccup: how much longer than the shortest sleep each took, corrected for omission already; it is not \
                      corrected again, and it is no oversleep";

const OTHER: &str = "HdrHistogram: values as their program recorded them, taken to be nanoseconds of lateness";

const OURS: &str = "oversleep: lateness in nanoseconds, in buckets of HdrHistogram; early wake-ups are not in it";

impl Importer for Hlog {
    fn name(&self) -> &'static str {
        FORMAT
    }

    fn sniff(&self, start: &[u8]) -> bool {
        has(start, "#[Histogram log format version") || has(start, "\"Interval_Compressed_Histogram\"")
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        _: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        let (mut head, mut hiccup, mut ours) = (true, false, false);
        let mut tags: BTreeMap<String, Tag> = BTreeMap::new();
        let mut inflated = 0;
        let contents = by_line(name, FORMAT, input, |line| {
            head &= line.starts_with('#');
            hiccup |= head && line.contains("iccup");
            ours |= head && line.contains("oversleep");
            if line.starts_with('#') || line.starts_with('"') || line.trim().is_empty() {
                return Ok(());
            }
            let (tag, payload) = parts(line).ok_or("[Tag=NAME,]start,length,max,histogram")?;
            let bytes = uncompressed(payload)?;
            inflated += bytes.len();
            if inflated > MOST_INFLATED {
                return Err(LineFault::TooMuch("the histograms up to here have more than 512 MiB, which no log has"));
            }
            let histogram = decoded(&bytes).ok_or(EXPECTED)?;
            tags.entry(tag.to_owned()).or_default().add(&histogram);
            Ok(())
        })?;
        let (quantity, convention) = match (hiccup, ours) {
            (true, _) => (Quantity::Hiccup, HICCUP),
            (_, true) => (Quantity::Oversleep, OURS),
            _ => (Quantity::Oversleep, OTHER),
        };
        let mut builder = Builder::new(name, FORMAT, convention);
        builder.contents(contents);
        for (tag, counted) in tags {
            let method = match tag.as_str() {
                "" if hiccup => "jHiccup",
                "" => "hdrhistogram",
                tag => tag,
            };
            let cell = builder.cell(method, None, Conditions::default());
            builder.distribution(counted.distribution(cell, quantity));
        }
        builder.finish("no interval has a value")
    }
}

/// Splits a line into its tag and its encoded histogram.
fn parts(line: &str) -> Option<(&str, &str)> {
    let (tag, rest) = match line.strip_prefix("Tag=") {
        Some(tagged) => tagged.split_once(',')?,
        None => ("", line),
    };
    let mut fields = rest.splitn(4, ',');
    for _ in 0..3 {
        fields.next()?.trim().parse::<f64>().ok()?;
    }
    Some((tag, fields.next()?.trim()))
}

/// What stands in the last field of a line.
const EXPECTED: &str = "a compressed histogram in base64";

/// Largest compressed histogram of an interval that is accepted, in bytes.
const LONGEST: usize = 4 << 20;

/// Largest histogram of an interval that is accepted, in bytes: the finest one, of five digits over all 64 bits, has 6.3
/// million counters, of which one that is zero takes a byte at most.
const MOST_OF_ONE: usize = 8 << 20;

/// Number of bytes that all histograms of a log may have together: eight times what the largest file can hold, and real
/// ones are a few times longer than when compressed.
const MOST_INFLATED: usize = 512 << 20;

/// First bytes of a compressed histogram, version 2.
const COMPRESSED: [u8; 4] = 0x1c84_9314_u32.to_be_bytes();

/// Number of bytes before a histogram's counts, of which those from the fifth to the eighth give the counts' length.
const HEAD: usize = 40;

/// Returns a histogram without base64 and compression.
fn uncompressed(payload: &str) -> Result<Vec<u8>, LineFault> {
    let bytes = STANDARD.decode(payload).ok().filter(|bytes| bytes.len() <= LONGEST).ok_or(EXPECTED)?;
    if !bytes.starts_with(&COMPRESSED) {
        return Ok(bytes);
    }
    let inflated = decompress_to_vec_zlib_with_limit(bytes.get(8..).ok_or(EXPECTED)?, MOST_OF_ONE);
    inflated.map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => {
            LineFault::TooMuch("the histogram has more than 8 MiB when decompressed, which no histogram has")
        }
        _ => EXPECTED.into(),
    })
}

/// Decodes a histogram. The length that it states is not trusted: the decoder takes as much memory before it reads.
fn decoded(bytes: &[u8]) -> Option<Histogram<u64>> {
    let stated = u32::from_be_bytes(bytes.get(4..8)?.try_into().ok()?);
    if usize::try_from(stated).ok()? > bytes.len().checked_sub(HEAD)? {
        return None;
    }
    Deserializer::new().deserialize(&mut Cursor::new(bytes)).ok()
}

/// The sum of all intervals with one tag.
#[derive(Default)]
struct Tag {
    buckets: BTreeMap<(u64, u64), u64>,
    sum: f64,
    count: u64,
}

impl Tag {
    fn add(&mut self, histogram: &Histogram<u64>) {
        for bin in histogram.iter_recorded() {
            let value = bin.value_iterated_to();
            let (low, high) = (histogram.lowest_equivalent(value), histogram.highest_equivalent(value));
            let count = bin.count_at_value();
            let bucket = self.buckets.entry((low, high)).or_insert(0);
            *bucket = bucket.saturating_add(count);
            self.count = self.count.saturating_add(count);
            self.sum += histogram.median_equivalent(value) as f64 * count as f64;
        }
    }

    fn distribution(&self, cell: u32, quantity: Quantity) -> Distribution {
        let nanos = |value: u64| Nanos::new(i64::try_from(value).unwrap_or(i64::MAX >> 1).min(i64::MAX >> 1));
        let buckets: Vec<_> =
            self.buckets.iter().map(|((low, high), count)| (nanos(*low), nanos(*high), *count)).collect();
        Distribution {
            cell,
            quantity,
            count: self.count,
            outside_from: None,
            min: buckets.first().map(|(low, _, _)| *low),
            max: buckets.last().map(|(_, high, _)| *high),
            mean_ns: (self.count > 0).then(|| self.sum / self.count as f64),
            buckets,
            lost: vec![Loss::Times, Loss::Order, Loss::Requests, Loss::EarlyWakes, Loss::Conditions],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec_zlib;

    /// A log of one interval with this histogram, compressed.
    fn error(histogram: &[u8]) -> String {
        let zlib = compress_to_vec_zlib(histogram, 9);
        let length = u32::try_from(zlib.len()).unwrap().to_be_bytes();
        let payload = STANDARD.encode([&COMPRESSED[..], &length, &zlib].concat());
        let log = format!("#[Histogram log format version 1.3]\n0.0,1.0,1.0,{payload}\n");
        let read = Hlog.read("x", Box::new(Cursor::new(log)), &ImportOptions::default());
        read.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_a_line_inflates_to_is_bounded() {
        let head = |stated: u32| {
            let mut head = [0x1c84_9313_u32, stated, 0, 3].map(u32::to_be_bytes).concat();
            head.extend([1_u64, 1 << 40].map(u64::to_be_bytes).concat());
            head.extend(1.0_f64.to_be_bytes());
            head
        };
        let long = [head(9 << 20), vec![0; 9 << 20]].concat();
        let why = "x: line 2: the histogram has more than 8 MiB when decompressed, which no histogram has";
        assert!(error(&long).starts_with(why), "{}", error(&long));
        // A length of 4 GiB is not believed; the right length is.
        assert!(error(&head(u32::MAX)).contains("where a compressed histogram in base64 is expected"));
        assert_eq!(decoded(&head(u32::MAX)), None);
        let sound = [head(1), vec![2]].concat();
        assert_eq!(decoded(&sound).map(|histogram| histogram.len()), Some(1));
    }
}
