//! cyclictest's summary lines, one per thread, with its latest figures; the list of spikes; and the histogram that
//! follows the lines if both were asked for (`-h` without `-q`).

use super::cyclictest_histogram::{self, Histogram, LOW_RESOLUTION};
use super::line_reader::{self, LineFault, SECOND_RUN, by_value};
use super::whole_file::{Builder, cut_off, has, times};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::{Conditions, Policy};
use oversleep_recording::{Distribution, Loss, Quantity};
use std::collections::BTreeMap;

/// Reads such lines.
pub(super) const CYCLICTEST_LINES: Importer = Importer::new(
    FORMAT,
    |start| has(start, "T:") && has(start, " Min:") && has(start, " Act:") && has(start, " Avg:"),
    read,
);

const FORMAT: &str = "cyclictest-summary";

const CONVENTION: &str = "cyclictest: wake-up minus absolute deadline, in whole microseconds, cut off; extremes and a mean \
                          alone";

/// Error of a histogram that is not of the run that the lines are of.
const OTHER_TABLE: &str = "its line and its histogram are not of one run; give each run a file of its own";

/// Limit of threads: more than any machine runs.
const MOST_THREADS: u32 = 1 << 12;

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let mut threads: BTreeMap<u32, Line> = BTreeMap::new();
    let (mut spikes, mut spike_lists) = (0_u64, 0);
    let (mut table, mut in_table) = (Histogram::default(), false);
    let mut low = false;
    let contents = by_value(name, FORMAT, input, |line| {
        if line.contains(LOW_RESOLUTION) {
            low = true;
            return Ok(line_reader::Line::Other);
        }
        in_table |= line == "# Histogram";
        if in_table {
            return Ok(match table.line(line)? {
                // Tables have an end.
                line_reader::Line::Value => line_reader::Line::Other,
                other => other,
            });
        }
        if line.starts_with("spikes =") {
            spike_lists += 1;
            if spike_lists > 1 {
                return Err(SECOND_RUN);
            }
        }
        // Live output moves the cursor up before it overwrites earlier lines.
        let Some(place) = line.find("T:") else { return Ok(beside(line)) };
        let line = &line[place..];
        if line.contains("Spike:") {
            spikes += 1;
        } else {
            let read = Line::parse(line).ok_or("T: C: Min: Act: Avg: Max: of a thread")?;
            if read.thread >= MOST_THREADS {
                return Err(LineFault::TooMuch("a thread's number of 4096 or more"));
            }
            if threads.insert(read.thread, read).is_some_and(|before| read.begins_anew(&before)) {
                return Err(SECOND_RUN);
            }
        }
        Ok(line_reader::Line::Value)
    })?;
    let convention = if table.is_empty() { CONVENTION } else { cyclictest_histogram::CONVENTION };
    let mut builder = Builder::new(name, FORMAT, convention);
    builder.contents(contents);
    if low {
        builder.without_high_resolution();
    }
    if spikes > 0 {
        builder.remark(format!("{spikes} spikes are listed, the first ones alone; figures are not made of them"));
    }
    for line in threads.values() {
        let policy = (line.priority > 0).then_some(Policy::Fifo { priority: line.priority });
        let conditions = Conditions { policy, ..Conditions::default() };
        let period = times(line.interval, 1_000);
        let cell = builder.cell(&format!("cyclictest thread {}", line.thread), period, conditions);
        let column = line.thread as usize;
        if line.seems_in_nanoseconds() {
            builder.remark(format!(
                "thread {}: its least value is several intervals, so the values may be nanoseconds (cyclictest -N), and figures a \
                 thousand times too large; measure without -N, or with --json, which states the unit",
                line.thread
            ));
        }
        if column < table.threads() {
            let mut buckets = table.distribution(cell, column);
            table.check(cell, column, &mut builder);
            if !line.ends_with(&buckets) {
                builder.refuse(format!("thread {}: {OTHER_TABLE}", line.thread));
            }
            // The line tells these.
            buckets.lost.retain(|loss| !matches!(loss, Loss::Requests | Loss::Conditions));
            builder.distribution(buckets);
        } else {
            builder.distribution(line.distribution(cell));
        }
    }
    builder.finish("no thread has counted anything")
}

/// Returns whether a line without a thread's figures is one that cyclictest prints: the load average, the title of
/// spikes, or what it did at its start.
fn beside(line: &str) -> line_reader::Line {
    let known = line.contains("policy: ") && line.contains("loadavg: ")
        || ["# /dev/cpu_dma_latency", "spikes ="].iter().any(|start| line.starts_with(start));
    // Sequences that move the cursor stand alone on the last line.
    let bare = line.trim_matches(|letter: char| letter.is_control() || letter.is_whitespace());
    if known || bare.is_empty() { line_reader::Line::Other } else { line_reader::Line::Foreign }
}

/// The summary line of one thread.
#[derive(Clone, Copy)]
struct Line {
    thread: u32,
    /// Number that the system has given the thread; 0 before it runs.
    id: u64,
    priority: i32,
    interval: i64,
    cycles: u64,
    min: i64,
    avg: i64,
    max: i64,
}

impl Line {
    fn parse(line: &str) -> Option<Self> {
        let after = |key: &str| {
            let rest = line[line.find(key)? + key.len()..].trim_start();
            rest.split(|letter: char| !(letter.is_ascii_digit() || letter == '-')).next()
        };
        let integer = |key: &str| after(key)?.parse::<i64>().ok();
        Some(Self {
            thread: after("T:")?.parse().ok()?,
            id: after("(").and_then(|id| id.parse().ok()).unwrap_or(0),
            priority: after("P:")?.parse().ok()?,
            interval: integer("I:")?,
            cycles: after("C:")?.parse().ok()?,
            min: integer("Min:")?,
            avg: integer("Avg:")?,
            max: integer("Max:")?,
        })
    }

    /// Returns whether this is a line of another run than `before`, which is of the same thread's number.
    fn begins_anew(&self, before: &Self) -> bool {
        let other_thread = self.id != before.id && self.id != 0 && before.id != 0;
        let asked = |of: &Self| (of.priority, of.interval);
        // Within a run the smallest value only falls, and the largest only rises.
        let other_extremes = before.cycles > 0 && (self.min > before.min || self.max < before.max);
        other_thread || other_extremes || self.cycles < before.cycles || asked(self) != asked(before)
    }

    /// Returns whether the run of this line, which is printed while it goes on, can have ended with this histogram. The
    /// last line of a run comes 10 ms before its end; a second leaves room for a busy machine.
    fn ends_with(&self, table: &Distribution) -> bool {
        let most_missed = (1_000_000 / self.interval.max(1).unsigned_abs()).max(16);
        let missed = table.count.checked_sub(self.cycles);
        let bucket = |value| cut_off(value, 1_000).filter(|_| self.cycles > 0);
        let above = bucket(self.min).zip(table.min).is_none_or(|((low, _), min)| min <= low);
        let below = bucket(self.max).zip(table.max).is_none_or(|((_, high), max)| max >= high);
        above && below && missed.is_some_and(|missed| missed <= most_missed)
    }

    /// Returns whether the values seem to be nanoseconds, as with `--nsecs`: in microseconds, every wake-up would have been later
    /// than several periods.
    fn seems_in_nanoseconds(&self) -> bool {
        self.cycles > 1 && self.min > 3 * self.interval.max(1)
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
