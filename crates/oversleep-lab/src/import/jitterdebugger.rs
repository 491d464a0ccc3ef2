//! jitterdebugger's `results.json`: one histogram per thread.

use super::whole_file::{Builder, cut_off, has, read_json, refused};
use super::{ImportError, ImportOptions, Importer, Records};
use oversleep_recording::plan::Conditions;
use oversleep_recording::text::visible;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;
use serde_json::{Map, Value};
use std::io::BufRead;

/// Reads such files.
pub(super) struct Jitterdebugger;

const FORMAT: &str = "jitterdebugger-results";

pub(super) const CONVENTION: &str = "jitterdebugger: wake-up minus absolute deadline, in whole units, cut off; each period \
                                     has its wake-up, however late";

/// End of jitterdebugger's histogram.
const OUTSIDE: Nanos = Nanos::MILLISECOND;

impl Importer for Jitterdebugger {
    fn name(&self) -> &'static str {
        FORMAT
    }

    fn sniff(&self, start: &[u8]) -> bool {
        let object = start.trim_ascii_start().starts_with(b"{");
        object && has(start, "\"cpu\"") && has(start, "\"histogram\"") && !has(start, "\"rt_test_version")
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        _: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        let document = read_json(name, FORMAT, input)?;
        let mut builder = Builder::new(name, FORMAT, CONVENTION);
        let info = document.get("sysinfo").and_then(Value::as_object);
        let told = |key: &str| info?.get(key)?.as_str().map(|text| visible(text).into_owned());
        let machine = &mut builder.meta().machine;
        machine.system = told("sysname").unwrap_or_default();
        machine.release = told("release").unwrap_or_default();
        machine.version = told("version").unwrap_or_default();
        machine.architecture = told("machine").unwrap_or_default();
        // Files without this key are in microseconds.
        let unit = info.and_then(|info| info.get("resolution_in_ns")?.as_i64()).unwrap_or(1_000);
        if unit != 1 && unit != 1_000 {
            return Err(refused(name, FORMAT, format!("resolution_in_ns is {unit}, and 1 or 1000 is expected")));
        }
        let threads = document.get("cpu").and_then(Value::as_object);
        let threads = threads.ok_or_else(|| refused(name, FORMAT, "it has no object `cpu`".to_owned()))?;
        for (number, thread) in threads {
            let wrong = |why: String| refused(name, FORMAT, format!("cpu {number}: {why}"));
            let thread = thread.as_object().ok_or_else(|| wrong("it is not an object".to_owned()))?;
            // The key is the number of the thread, whatever processor it ran on.
            let cell = builder.cell(&format!("jitterdebugger thread {number}"), None, Conditions::default());
            builder.distribution(distribution(cell, thread, unit).map_err(wrong)?);
        }
        builder.finish("no thread has counted anything")
    }
}

fn distribution(cell: u32, thread: &Map<String, Value>, unit: i64) -> Result<Distribution, String> {
    let histogram = thread.get("histogram").and_then(Value::as_object).ok_or("it has no object `histogram`")?;
    let mut buckets = Vec::with_capacity(histogram.len());
    for (key, count) in histogram {
        let count = count.as_u64().ok_or_else(|| format!("bucket {key} has no count"))?;
        let bucket = key.parse().ok().and_then(|value| cut_off(value, unit));
        let (low, high) = bucket.ok_or_else(|| format!("`{key}` is not a bucket"))?;
        buckets.push((low, high, count));
    }
    buckets.sort_unstable();
    let counted = buckets.iter().try_fold(0_u64, |sum, (_, _, count)| sum.checked_add(*count));
    let counted = counted.ok_or("more values than can be counted")?;
    let count = thread.get("count").and_then(Value::as_u64).unwrap_or(counted);
    if count < counted {
        return Err(format!("{counted} values in buckets, and {count} in all"));
    }
    let bucket = |key: &str| thread.get(key).and_then(Value::as_i64).and_then(|value| cut_off(value, unit));
    let mut lost = vec![Loss::Times, Loss::Order, Loss::Requests, Loss::Conditions];
    lost.extend((count > counted).then_some(Loss::Overflow));
    Ok(Distribution {
        cell,
        quantity: Quantity::Oversleep,
        count,
        buckets,
        outside_from: Some(OUTSIDE),
        min: bucket("min").map(|(low, _)| low),
        max: bucket("max").map(|(_, high)| high),
        mean_ns: thread.get("avg").and_then(Value::as_f64).map(|mean| mean * unit as f64),
        lost,
    })
}
