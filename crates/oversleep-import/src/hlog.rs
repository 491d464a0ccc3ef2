//! Logs of HdrHistogram (`.hlog`), as written by jHiccup and others: one encoded histogram per interval.

use super::line_reader::{Line, LineFault, SECOND_RUN, by_value};
use super::whole_file::{Builder, MOST_NAMES, has};
use super::{ImportOptions, Importer, Input, Opened};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use encoded::{Encoded, Layout, count_work};
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

mod encoded;

/// Reads such logs.
pub(super) const HLOG: Importer = Importer::new(
    FORMAT,
    |start| has(start, "#[Histogram log format version") || has(start, "\"Interval_Compressed_Histogram\""),
    read,
);

const FORMAT: &str = "hdrhistogram-log";

const HICCUP: &str = "jHiccup: how much longer than the shortest sleep each took, corrected for omission already; it is not \
                      corrected again, and it is no oversleep";

const OTHER: &str = "HdrHistogram: values as their program recorded them, taken to be nanoseconds of lateness";

const OURS: &str = "oversleep: lateness in nanoseconds, in buckets of HdrHistogram; early wake-ups are not in it";

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let (mut head, mut hiccup, mut ours, mut titled) = (true, false, false, false);
    let mut log = Log::default();
    let contents = by_value(name, FORMAT, input, |line| {
        head &= line.starts_with('#');
        hiccup |= head && line.contains("iccup");
        ours |= head && line.contains("oversleep");
        if line.starts_with("#[Histogram log format version") && std::mem::replace(&mut titled, true) {
            return Err(SECOND_RUN);
        }
        if line.starts_with('#') || line.starts_with('"') || line.trim().is_empty() {
            return Ok(Line::Other);
        }
        log.add(line)?;
        Ok(Line::Value)
    })?;
    let (quantity, convention) = match (hiccup, ours) {
        (true, _) => (Quantity::Hiccup, HICCUP),
        (_, true) => (Quantity::Oversleep, OURS),
        _ => (Quantity::Oversleep, OTHER),
    };
    let mut builder = Builder::new(name, FORMAT, convention);
    builder.contents(contents);
    for (tag, counted) in log.tags {
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

/// Splits a line into its tag, the beginning of its interval in seconds, and its encoded histogram.
fn parts(line: &str) -> Option<(&str, f64, &str)> {
    let (tag, rest) = match line.strip_prefix("Tag=") {
        Some(tagged) => tagged.split_once(',')?,
        None => ("", line),
    };
    let mut fields = rest.splitn(4, ',');
    let mut number = || fields.next()?.trim().parse::<f64>().ok();
    let (start, _length, _max) = (number()?, number()?, number()?);
    Some((tag, start, fields.next()?.trim()))
}

/// What stands in the last field of a line.
const EXPECTED: &str = "a compressed histogram in base64";

/// Error of a histogram of numbers that are not whole (`DoubleHistogram`).
const SCALED: &str = "its histogram is of scaled values (its conversion ratio is not 1), which are not read; record whole \
                      nanoseconds";

/// Largest compressed histogram of an interval that is accepted, in bytes.
const LONGEST: usize = 4 << 20;

/// Largest histogram of an interval that is accepted, in bytes: the finest one, of five digits over all 64 bits, has 6.3
/// million counters, of which one that is zero takes a byte at most.
const MOST_OF_ONE: usize = 8 << 20;

/// Number of bytes that all histograms of a log may have together, besides eight times the length of the log: real ones
/// are a few times longer than when compressed.
const MOST_INFLATED: usize = if cfg!(test) { 24 << 20 } else { 256 << 20 };

/// Number of counters that are kept, of all tags and layouts together: all of the finest histogram.
const MOST_COUNTERS: usize = 1 << 23;

/// Length of a tag in bytes above which a log is refused.
const LONGEST_TAG: usize = 1 << 12;

/// First bytes of a compressed histogram, version 2.
const COMPRESSED: [u8; 4] = 0x1c84_9314_u32.to_be_bytes();

/// Returns a histogram without base64 and compression.
fn uncompressed(payload: &str) -> Result<Vec<u8>, LineFault> {
    count_work(payload.len() / 64);
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

/// The histograms of a log, added up.
#[derive(Default)]
struct Log {
    tags: BTreeMap<String, Tag>,
    /// Length of the lines so far, and of what they decompress to, in bytes.
    length: usize,
    inflated: usize,
    counters: usize,
}

impl Log {
    /// Adds the histogram of a line. Time and memory that it takes grow with its length alone, whatever range of values its
    /// histogram states.
    fn add(&mut self, line: &str) -> Result<(), LineFault> {
        let (tag, start, payload) = parts(line).ok_or("[Tag=NAME,]start,length,max,histogram")?;
        let bytes = uncompressed(payload)?;
        self.length += line.len();
        self.inflated += bytes.len();
        if self.inflated > MOST_INFLATED + 8 * self.length {
            return Err(LineFault::TooMuch("the histograms up to here decompress to far more than those of a log"));
        }
        if encoded::is_scaled(&bytes) {
            return Err(LineFault::TooMuch(SCALED));
        }
        let encoded = Encoded::read(&bytes).ok_or(EXPECTED)?;
        if !self.tags.contains_key(tag) && (self.tags.len() == MOST_NAMES || tag.len() > LONGEST_TAG) {
            return Err(LineFault::TooMuch("more than 8192 different tags, or one of more than 4096 bytes"));
        }
        let tag = self.tags.entry(tag.to_owned()).or_default();
        if start < tag.start {
            return Err(SECOND_RUN);
        }
        tag.start = start;
        let counters = tag.counters.entry(encoded.layout()).or_default();
        if encoded.length() > counters.len() {
            self.counters += encoded.length() - counters.len();
            count_work(encoded.length() - counters.len());
            if self.counters > MOST_COUNTERS {
                return Err(LineFault::TooMuch("the histograms up to here have more than 8388608 different buckets"));
            }
            counters.resize(encoded.length(), 0);
        }
        for (index, count) in encoded.counts() {
            counters[index] = counters[index].saturating_add(count);
        }
        Ok(())
    }
}

/// The sum of all intervals with one tag: counters of each layout.
#[derive(Default)]
struct Tag {
    /// Beginning of the last interval, in seconds.
    start: f64,
    counters: BTreeMap<Layout, Vec<u64>>,
}

impl Tag {
    /// Returns the buckets that have a value, in order, with the sum of all values.
    fn buckets(&self) -> (Vec<(u64, u64, u64)>, f64) {
        let (mut buckets, mut sum) = (Vec::new(), 0.0);
        for (layout, counters) in &self.counters {
            count_work(counters.len());
            for (index, count) in counters.iter().enumerate().filter(|(_, count)| **count > 0) {
                let (low, high) = layout.bucket(index);
                sum += (low + (high - low).div_ceil(2)) as f64 * *count as f64;
                buckets.push((low, high, *count));
            }
        }
        if self.counters.len() > 1 {
            buckets.sort_unstable();
        }
        buckets.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 = if same { kept.2.saturating_add(next.2) } else { kept.2 };
            same
        });
        (buckets, sum)
    }

    fn distribution(&self, cell: u32, quantity: Quantity) -> Distribution {
        let nanos = |value: u64| Nanos::new(i64::try_from(value).unwrap_or(i64::MAX >> 1).min(i64::MAX >> 1));
        let (buckets, sum) = self.buckets();
        let count = buckets.iter().fold(0_u64, |sum, (_, _, count)| sum.saturating_add(*count));
        let buckets: Vec<_> = buckets.into_iter().map(|(low, high, count)| (nanos(low), nanos(high), count)).collect();
        Distribution {
            cell,
            quantity,
            count,
            outside_from: None,
            min: buckets.first().map(|(low, _, _)| *low),
            max: buckets.last().map(|(_, high, _)| *high),
            mean_ns: (count > 0).then(|| sum / count as f64),
            buckets,
            lost: vec![Loss::Times, Loss::Order, Loss::Requests, Loss::EarlyWakes, Loss::Conditions],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::encoded::WORK;
    use super::*;
    use crate::Ending;
    use miniz_oxide::deflate::compress_to_vec_zlib;
    use oversleep_recording::Recording;
    use std::io::Cursor;

    /// Returns the line of an interval with this histogram, compressed.
    fn line(histogram: &[u8]) -> String {
        let zlib = compress_to_vec_zlib(histogram, 9);
        let length = u32::try_from(zlib.len()).unwrap().to_be_bytes();
        format!("0.0,1.0,1.0,{}\n", STANDARD.encode([&COMPRESSED[..], &length, &zlib].concat()))
    }

    /// Reads a log and returns its error; empty if there is none.
    fn error(lines: &str) -> String {
        let log = format!("#[Histogram log format version 1.3]\n{lines}");
        match read("x", Box::new(Cursor::new(log)), &ImportOptions::default()) {
            Err(error) => error.to_string(),
            Ok(mut records) => {
                let mut recording = Recording::new(records.meta().clone());
                match records.read_into(&mut recording) {
                    Ending::Broken(error) => error.to_string(),
                    _ => String::new(),
                }
            }
        }
    }

    /// Returns a histogram of values from `low` to the largest number of 63 bits, with its counters.
    fn histogram(low: u64, digits: u32, counters: &[u8]) -> Vec<u8> {
        let length = u32::try_from(counters.len()).unwrap();
        let mut bytes = [0x1c84_9313_u32, length, 0, digits].map(u32::to_be_bytes).concat();
        bytes.extend([low, i64::MAX.unsigned_abs()].map(u64::to_be_bytes).concat());
        bytes.extend(1.0_f64.to_be_bytes());
        bytes.extend(counters);
        bytes
    }

    #[test]
    fn what_a_line_inflates_to_is_bounded() {
        let long = histogram(1, 3, &vec![0; 9 << 20]);
        let why = "x: line 2: the histogram has more than 8 MiB when decompressed, which no histogram has";
        assert!(error(&line(&long)).starts_with(why), "{}", error(&line(&long)));
        // A length of 4 GiB is not believed; the right length is.
        let mut wrong = histogram(1, 3, &[2]);
        wrong[4..8].fill(0xFF);
        assert!(error(&line(&wrong)).contains("where a compressed histogram in base64 is expected"));
        assert_eq!(error(&line(&histogram(1, 3, &[2]))), "");
    }

    /// Each of these would take minutes or gigabytes in a decoder that makes all counters that a histogram states.
    #[test]
    fn hostile_logs_take_little_work() {
        WORK.set(0);
        // One value of the finest histogram, near its end: -6 000 000 as a number is a run of zeros.
        let run: i64 = -6_000_000;
        let mut folded = ((run << 1) ^ (run >> 63)).cast_unsigned();
        let mut counters = Vec::new();
        while folded > 0x7F {
            counters.push(u8::try_from(folded & 0x7F).unwrap() | 0x80);
            folded >>= 7;
        }
        counters.extend([u8::try_from(folded).unwrap(), 2]);
        let far = line(&histogram(1, 5, &counters)).repeat(20_000);
        assert_eq!(error(&far), "");
        // The same with many tags, each of which would have counters of its own.
        let tagged: String = (0..20).map(|tag| format!("Tag={tag},{}", line(&histogram(1, 5, &counters)))).collect();
        let said = error(&tagged);
        assert!(said.contains("line 3: the histograms up to here have more than 8388608 different buckets"), "{said}");
        let tags: String = (0..9_000).map(|tag| format!("Tag={tag},{}", line(&histogram(1, 3, &[2])))).collect();
        assert!(error(&tags).contains("line 8194: more than 8192 different tags"), "{}", error(&tags));
        // Eight MiB of zeros in eight kB, again and again.
        let zeros = line(&histogram(1, 3, &vec![0; 8_000_000])).repeat(4);
        assert!(error(&zeros).contains("decompress to far more than those of a log"), "{}", error(&zeros));
        // Zeros have a byte each: three logs' lines of 8 million, read once. All counters of each line, or of each tag, would be a
        // thousand times more.
        let work = WORK.get();
        println!("{work}");
        assert!(work < 100_000_000, "{work}");
    }
}
