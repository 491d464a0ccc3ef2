//! oslat's report as text: one row per bucket and one column per thread.

use super::buckets::Buckets;
use super::csv::TimeUnit;
use super::line_reader::{Line, SECOND_TABLE, by_line};
use super::whole_file::{Builder, has};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::{Nanos, gcd};

/// Reads such reports.
pub(super) const OSLAT: Importer = Importer::new(
    FORMAT,
    |start| has(start, "Workload mem:") && has(start, "Version:") || has(start, "Counter Freq:"),
    read,
);

const FORMAT: &str = "oslat";

const CONVENTION: &str =
    "oslat: gaps in a busy loop, in whole microseconds rounded up; its last bucket holds all that are longer";

/// Width of a row, in ns, if `--bucket-width` of newer versions states no other.
const MICROSECOND: i64 = 1_000;

/// Limit of threads: more than any machine runs.
const MOST_COLUMNS: usize = 1 << 12;

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let (mut cpus, mut min, mut avg, mut max) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut rows, mut ends) = (Buckets::default(), Vec::new());
    let mut contents = by_line(name, FORMAT, input, |line| {
        let Some((key, rest)) = line.split_once(':') else { return Ok(beside(line)) };
        let key = key.trim();
        // Units follow the figures, in brackets.
        let rest = rest.split('(').next().unwrap_or_default();
        let figures = || {
            let numbers: Result<Vec<f64>, _> = rest.split_whitespace().map(str::parse).collect();
            numbers.ok().filter(|numbers| numbers.len() <= MOST_COLUMNS).ok_or("a number per thread")
        };
        match key {
            "Core" if cpus.is_empty() => cpus = figures()?,
            "Minimum" if min.is_empty() => min = figures()?,
            "Average" if avg.is_empty() => avg = figures()?,
            "Maximum" if max.is_empty() => max = figures()?,
            "Core" | "Minimum" | "Average" | "Maximum" => return Err(SECOND_TABLE),
            _ if key.ends_with("(us)") => {
                if cpus.is_empty() {
                    return Err("the line `Core` before the rows".into());
                }
                if !min.is_empty() {
                    return Err(SECOND_TABLE);
                }
                let bucket = key.split_whitespace().next().and_then(|word| TimeUnit::Microseconds.read(word));
                let counts: Result<Vec<u64>, _> = rest.split_whitespace().map(str::parse).collect();
                let counts = counts.ok().filter(|counts| counts.len() == cpus.len());
                let (bucket, counts) = bucket.zip(counts).ok_or("a bucket and a count per thread")?;
                rows.add_above(bucket, &counts)?;
                ends.push(bucket);
            }
            _ => return Ok(if SETTINGS.contains(&key) { Line::Other } else { Line::Foreign }),
        }
        Ok(Line::Value)
    })?;
    let closing = [("Minimum", &min), ("Average", &avg), ("Maximum", &max)];
    if let Some((missing, _)) = closing.into_iter().find(|(_, figures): &(_, &Vec<f64>)| figures.is_empty()) {
        contents.lacks(&format!("`{missing}`"));
    }
    let width = width(&ends);
    let mut builder = Builder::new(name, FORMAT, CONVENTION);
    builder.contents_by_value(contents);
    if width != MICROSECOND {
        builder.remark(format!("rows are taken to be {} wide, as far as they are apart", Nanos::new(width)));
    }
    for (column, cpu) in cpus.iter().enumerate() {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a processor's number
        let cpu = (*cpu >= 0.0 && *cpu < 65_536.0).then_some(vec![*cpu as u32]);
        let cell = builder.cell("oslat", None, Conditions { affinity: cpu, ..Conditions::default() });
        let end = |values: &[f64]| values.get(column).copied().map(|us| Nanos::from_f64(us * 1e3));
        let mut buckets: Vec<(Nanos, Nanos, u64)> = rows
            .column(column)
            .map(|(end, count)| (Nanos::new((end - width).max(0)), Nanos::new(end - 1), count))
            .collect();
        if let (Some(last), Some(max)) = (buckets.last_mut(), end(&max)) {
            last.1 = last.1.max(max);
        }
        builder.distribution(Distribution {
            cell,
            quantity: Quantity::LoopGap,
            count: buckets.iter().map(|(_, _, count)| *count).fold(0, u64::saturating_add),
            buckets,
            outside_from: None,
            min: end(&min).map(|min| (min - Nanos::new(width)).max(Nanos::ZERO)),
            max: end(&max),
            mean_ns: avg.get(column).map(|us| us * 1e3),
            lost: vec![Loss::Times, Loss::Order, Loss::Overflow],
        });
    }
    builder.finish("no thread has counted anything")
}

/// Returns the width of rows, in ns: the greatest common divisor of the distances between their upper ends. Rows without
/// values may be left out (`--zero-omit`), so that it can be too large, but not too small. Fewer than three rows have the
/// width that is the default.
fn width(ends: &[i64]) -> i64 {
    let distances = ends.windows(2).map(|two| (two[1] - two[0]).unsigned_abs().into());
    let common = distances.fold(0, gcd);
    if ends.len() < 3 { MICROSECOND } else { i64::try_from(common).unwrap_or(MICROSECOND) }
}

/// What oslat prints before and after its table, and nothing is made of.
const SETTINGS: [&str; 11] = [
    "Version",
    "Total runtime",
    "Thread priority",
    "CPU list",
    "CPU for main thread",
    "Workload",
    "Workload mem",
    "Preheat cores",
    "Counter Freq",
    "Max-Min",
    "Duration",
];

/// Returns whether a line without a colon is one that oslat prints.
fn beside(line: &str) -> Line {
    let line = line.trim();
    let known = line.starts_with("oslat V ")
        || line.starts_with("Pre-heat for ")
        || ["", "Test starts...", "Test completed."].contains(&line);
    if known { Line::Other } else { Line::Foreign }
}
