//! cyclictest's summary lines, one per thread, with its latest figures; the list of spikes; and the histogram that
//! follows the lines if both were asked for (`-h` without `-q`).

use super::cyclictest_histogram::{self, Histogram};
use super::lines::{self, LineFault, by_value};
use super::whole_file::{Builder, cut_off, has, times};
use super::{ImportError, ImportOptions, Importer, Records};
use oversleep_recording::plan::{Conditions, Policy};
use oversleep_recording::{Distribution, Loss, Quantity};
use std::collections::BTreeMap;
use std::io::BufRead;

/// Reads such lines.
pub(super) struct CyclictestLines;

const FORMAT: &str = "cyclictest-summary";

const CONVENTION: &str = "cyclictest: wake-up minus absolute deadline, in whole microseconds, cut off; extremes and a mean \
                          alone";

/// Limit of threads: more than any machine runs.
const MOST_THREADS: u32 = 1 << 12;

impl Importer for CyclictestLines {
    fn name(&self) -> &'static str {
        FORMAT
    }

    fn sniff(&self, start: &[u8]) -> bool {
        has(start, "T:") && has(start, " Min:") && has(start, " Act:") && has(start, " Avg:")
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        _: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        let mut threads: BTreeMap<u32, Line> = BTreeMap::new();
        let mut spikes = 0_u64;
        let (mut table, mut in_table) = (Histogram::default(), false);
        let contents = by_value(name, FORMAT, input, |line| {
            in_table |= line == "# Histogram";
            if in_table {
                table.line(line)?;
                // Tables have an end.
                return Ok(lines::Line::Other);
            }
            // Live output moves the cursor up before it overwrites earlier lines.
            let Some(place) = line.find("T:") else { return Ok(lines::Line::Other) };
            let line = &line[place..];
            if line.contains("Spike:") {
                spikes += 1;
            } else {
                let read = Line::of(line).ok_or("T: C: Min: Act: Avg: Max: of a thread")?;
                if read.thread >= MOST_THREADS {
                    return Err(LineFault::TooMuch("a thread's number of 4096 or more"));
                }
                threads.insert(read.thread, read);
            }
            Ok(lines::Line::Value)
        })?;
        let convention = if table.is_empty() { CONVENTION } else { cyclictest_histogram::CONVENTION };
        let mut builder = Builder::new(name, FORMAT, convention);
        builder.contents(contents);
        if spikes > 0 {
            builder.remark(format!("{spikes} spikes are listed, the first ones alone; figures are not made of them"));
        }
        for line in threads.values() {
            let policy = (line.priority > 0).then_some(Policy::Fifo { priority: line.priority });
            let conditions = Conditions { policy, ..Conditions::default() };
            let period = times(line.interval, 1_000);
            let cell = builder.cell(&format!("cyclictest thread {}", line.thread), period, conditions);
            let column = line.thread as usize;
            if column < table.threads() {
                let mut buckets = table.distribution(cell, column);
                // The line tells these.
                buckets.lost.retain(|loss| !matches!(loss, Loss::Requests | Loss::Conditions));
                builder.distribution(buckets);
            } else {
                builder.distribution(line.distribution(cell));
            }
        }
        builder.finish("no thread has counted anything")
    }
}

/// The summary line of one thread.
struct Line {
    thread: u32,
    priority: i32,
    interval: i64,
    cycles: u64,
    min: i64,
    avg: i64,
    max: i64,
}

impl Line {
    fn of(line: &str) -> Option<Self> {
        let after = |key: &str| {
            let rest = line[line.find(key)? + key.len()..].trim_start();
            rest.split(|letter: char| !(letter.is_ascii_digit() || letter == '-')).next()
        };
        let integer = |key: &str| after(key)?.parse::<i64>().ok();
        Some(Self {
            thread: after("T:")?.parse().ok()?,
            priority: after("P:")?.parse().ok()?,
            interval: integer("I:")?,
            cycles: after("C:")?.parse().ok()?,
            min: integer("Min:")?,
            avg: integer("Avg:")?,
            max: integer("Max:")?,
        })
    }

    fn distribution(&self, cell: u32) -> Distribution {
        let bucket = |value| cut_off(value, 1_000).filter(|_| self.cycles > 0);
        Distribution {
            cell,
            quantity: Quantity::Oversleep,
            count: self.cycles,
            buckets: Vec::new(),
            outside_from: None,
            min: bucket(self.min).map(|(low, _)| low),
            max: bucket(self.max).map(|(_, high)| high),
            mean_ns: (self.cycles > 0).then_some(self.avg as f64 * 1_000.0),
            lost: vec![Loss::Buckets, Loss::Times, Loss::Order, Loss::Unit, Loss::SkippedPeriods],
        }
    }
}
