//! `--json` output of the programs of rt-tests: cyclictest, oslat, signaltest, ptsematest, cyclicdeadline and others.
//!
//! Two keys end in a colon, `resolution_in_ns` says whether values are nanoseconds, and values beyond the histogram are absent
//! (oslat counts them in its last bucket instead).

use super::rt_command::Command;
use super::whole_file::{Builder, cut_off, has, object, refused, text, times};
use super::{ImportError, ImportOptions, Importer, Records};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;
use serde_json::{Map, Value};
use std::io::BufRead;

/// Reads such output.
pub(super) struct RtTests;

const FORMAT: &str = "rt-tests-json";

impl Importer for RtTests {
    fn name(&self) -> &'static str {
        FORMAT
    }

    fn sniff(&self, start: &[u8]) -> bool {
        start.trim_ascii_start().starts_with(b"{") && has(start, "\"rt_test_version")
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        _: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        let text = text(name, FORMAT, input)?;
        let (document, unreadable) = parse(&text).map_err(|why| refused(name, FORMAT, why))?;
        let command = Command::of(get(&document, "cmdline").and_then(Value::as_str).unwrap_or_default());
        let oslat = document.get("resolution_in_ns").is_none() || command.program == "oslat";
        let quantity = match command.program.as_str() {
            "oslat" => Quantity::LoopGap,
            "signaltest" | "ptsematest" | "sigwaittest" | "svsematest" | "pmqtest" => Quantity::Handover,
            _ if oslat => Quantity::LoopGap,
            _ => Quantity::Oversleep,
        };
        let mut builder = Builder::new(name, FORMAT, convention(&command.program, quantity));
        facts(&document, &mut builder);
        if unreadable {
            builder.remark("its command line is not readable JSON; what was asked for is not known".to_owned());
        }
        let nanoseconds = document.get("resolution_in_ns").and_then(Value::as_i64) == Some(1);
        let unit = if nanoseconds { 1 } else { 1_000 };
        let threads = document.get("thread").and_then(Value::as_object);
        let threads = threads.ok_or_else(|| refused(name, FORMAT, "it has no object `thread`".to_owned()))?;
        if let Some(stated) = document.get("num_threads").and_then(Value::as_u64).filter(|n| *n != threads.len() as u64)
        {
            let there = threads.len();
            return Err(refused(name, FORMAT, format!("`num_threads` is {stated}, and `thread` holds {there}")));
        }
        for (number, thread) in threads {
            let wrong = |what: &str| refused(name, FORMAT, format!("thread {number}: {what}"));
            let thread = thread.as_object().ok_or_else(|| wrong("it is not an object"))?;
            let received = received(thread);
            let thread = received.as_ref().unwrap_or(thread);
            let of = Thread { told: thread, unit, quantity, command: &command };
            let conditions = Conditions {
                affinity: of.integer("cpu").and_then(|cpu| u32::try_from(cpu).ok()).map(|cpu| vec![cpu]),
                ..command.conditions.clone()
            };
            let method = if command.program.is_empty() { "rt-tests" } else { &command.program };
            let period = command.interval(number.parse().unwrap_or(0)).filter(|_| quantity == Quantity::Oversleep);
            // As the text forms call it: a name of its own, without which threads are rows that look alike.
            let cell = builder.cell(&format!("{method} thread {number}"), period, conditions);
            let distribution = of.distribution(cell).map_err(|why| wrong(&why))?;
            builder.distribution(distribution);
        }
        builder.finish("no thread has counted anything")
    }
}

fn convention(program: &str, quantity: Quantity) -> &'static str {
    match quantity {
        // Seen with version 2.4: after ten stops of 800 ms its largest value was 7.9 s.
        _ if program == "cyclicdeadline" => {
            "cyclicdeadline: wake-up minus deadline, in whole units, cut off; its deadlines are one period apart and so are \
             its wake-ups, so after a late one the next are late as well"
        }
        Quantity::LoopGap => {
            "oslat: gaps in a busy loop, in whole microseconds rounded up; its last bucket holds all that are longer"
        }
        Quantity::Handover => "rt-tests: from sending to arrival, in whole units, cut off",
        _ => {
            "cyclictest: wake-up minus absolute deadline, in whole units, cut off; a period missed is not counted, so \
             figures are of wake-ups, not of periods"
        }
    }
}

/// Parses the document. If the command line breaks the JSON (quotation marks are not escaped), parses the rest without
/// it and returns `true`.
fn parse(text: &str) -> Result<(Map<String, Value>, bool), String> {
    // printf writes NaN for a thread that never ran.
    let mended: String = text.replace(": -nan", ": null").replace(": nan", ": null");
    let first = match object(&mended) {
        Ok(document) => return Ok((document, false)),
        Err(why) => why,
    };
    // The command's line stays, empty, so that line numbers remain right.
    let without: String = mended
        .lines()
        .map(|line| if line.trim_start().starts_with("\"cmdline") { "\n" } else { line })
        .fold(String::new(), |text, line| text + line.trim_end() + "\n");
    object(&without).map(|document| (document, true)).map_err(|_| first)
}

/// Returns a value by its key, with or without the colon that two of the keys end in.
fn get<'a>(document: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    document.get(key).or_else(|| document.get(&format!("{key}:")))
}

/// Returns the figures of a pair of threads, for which ptsematest and its like have an object each: the receiver's
/// extremes, and the sender's number of values.
fn received(pair: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut figures = pair.get("receiver")?.as_object()?.clone();
    figures.insert("cycles".to_owned(), pair.get("sender")?.get("samples")?.clone());
    Some(figures)
}

/// Copies what the document says about the machine.
fn facts(document: &Map<String, Value>, builder: &mut Builder) {
    let told = |key: &str| document.get("sysinfo")?.get(key)?.as_str().map(str::to_owned);
    let meta = builder.meta();
    let machine = &mut meta.machine;
    machine.system = told("sysname").unwrap_or_default();
    machine.release = told("release").unwrap_or_default();
    machine.version = told("version").unwrap_or_default();
    machine.architecture = told("machine").unwrap_or_default();
    let begun = document.get("start_time").and_then(Value::as_str);
    let begun = begun.and_then(|text| jiff::fmt::rfc2822::parse(text).ok());
    meta.started = begun.map(|time| time.timestamp().to_string());
}

struct Thread<'a> {
    told: &'a Map<String, Value>,
    unit: i64,
    quantity: Quantity,
    command: &'a Command,
}

impl Thread<'_> {
    fn integer(&self, key: &str) -> Option<i64> {
        self.told.get(key)?.as_i64()
    }

    fn bucket(&self, value: i64) -> Option<(Nanos, Nanos)> {
        // oslat names a bucket by its upper end.
        if self.quantity == Quantity::LoopGap {
            cut_off(value.checked_sub(1)?, self.unit)
        } else {
            cut_off(value, self.unit)
        }
    }

    fn distribution(&self, cell: u32) -> Result<Distribution, String> {
        let empty = Map::new();
        let histogram = self.told.get("histogram").and_then(Value::as_object).unwrap_or(&empty);
        let mut buckets = Vec::with_capacity(histogram.len());
        for (key, count) in histogram {
            let count = count.as_u64().ok_or_else(|| format!("bucket {key} has no count"))?;
            let bucket = key.parse().ok().and_then(|value| self.bucket(value));
            let (low, high) = bucket.ok_or_else(|| format!("`{key}` is not a bucket"))?;
            buckets.push((low, high, count));
        }
        buckets.sort_unstable();
        let max = self.integer("max").and_then(|max| self.bucket(max)).map(|(_, high)| high);
        let counted = buckets.iter().try_fold(0_u64, |sum, (_, _, count)| sum.checked_add(*count));
        let counted = counted.ok_or("more values than can be counted")?;
        if let (Quantity::LoopGap, Some(last), Some(max)) = (self.quantity, buckets.last_mut(), max) {
            last.1 = last.1.max(max);
        }
        let count = self.told.get("cycles").and_then(Value::as_u64).unwrap_or(counted);
        if count < counted {
            return Err(format!("{counted} values in buckets, and {count} in all"));
        }
        let asked = self.command.buckets.and_then(|buckets| times(buckets, self.unit));
        let beyond = asked.or_else(|| buckets.last().map(|(_, high, _)| *high + Nanos::new(1)));
        let mut lost = vec![Loss::Times, Loss::Order];
        let periodic = self.quantity == Quantity::Oversleep;
        let skips = periodic && self.command.program != "cyclicdeadline";
        lost.extend(skips.then_some(Loss::SkippedPeriods));
        lost.extend((periodic && self.command.interval(0).is_none()).then_some(Loss::Requests));
        lost.extend(buckets.is_empty().then_some(Loss::Buckets));
        lost.extend((!buckets.is_empty() && count > counted).then_some(Loss::Overflow));
        Ok(Distribution {
            cell,
            quantity: self.quantity,
            count,
            outside_from: if buckets.is_empty() { None } else { beyond },
            buckets,
            min: self.integer("min").and_then(|min| self.bucket(min)).map(|(low, _)| low),
            max,
            mean_ns: self.told.get("avg").and_then(Value::as_f64).map(|mean| mean * self.unit as f64),
            lost,
        })
    }
}
