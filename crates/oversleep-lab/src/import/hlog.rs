//! Logs of HdrHistogram (`.hlog`), as written by jHiccup and others: one encoded histogram per interval.

use super::whole_file::{Builder, by_line, has};
use super::{ImportError, ImportOptions, Importer, Records};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
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
        let contents = by_line(name, FORMAT, input, |line| {
            head &= line.starts_with('#');
            hiccup |= head && line.contains("iccup");
            ours |= head && line.contains("oversleep");
            if line.starts_with('#') || line.starts_with('"') || line.trim().is_empty() {
                return Ok(());
            }
            let (tag, payload) = parts(line).ok_or("[Tag=NAME,]start,length,max,histogram")?;
            let histogram = decoded(payload).ok_or("a compressed histogram in base64")?;
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

/// Largest compressed histogram of an interval that is accepted, in bytes.
const LONGEST: usize = 4 << 20;

fn decoded(payload: &str) -> Option<Histogram<u64>> {
    let bytes = STANDARD.decode(payload).ok().filter(|bytes| bytes.len() <= LONGEST)?;
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
