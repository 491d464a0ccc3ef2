//! cyclictest's histogram as text, as `-h` prints it and `--histfile` writes it.
//!
//! A row has a bucket, a space, and a count per thread, separated by tabs; `-H` adds a column of sums. Old versions
//! print rows of zeros and the line `# Total`, new ones neither. The file does not state a unit.

use super::buckets::Buckets;
use super::line_reader::{Line, LineFault, SECOND_TABLE, by_line};
use super::whole_file::{Builder, cut_off, has};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Reads such histograms.
pub(super) const CYCLICTEST_HISTOGRAM: Importer = Importer::new(FORMAT, sniff, read);

const FORMAT: &str = "cyclictest-histogram";

/// What cyclictest warns of where timers end at ticks (rt-tests, cyclictest.c).
pub(super) const LOW_RESOLUTION: &str = "High resolution timers not available";

pub(super) const CONVENTION: &str = "cyclictest: wake-up minus absolute deadline, in whole microseconds, cut off; a period missed is \
                          not counted, so figures are of wake-ups, not of periods";

/// Limit of threads: more than any machine runs.
const MOST_COLUMNS: usize = 1 << 12;

fn sniff(start: &[u8]) -> bool {
    let title = has(start, "# Histogram\n") || has(start, "# Histogram\r\n");
    let begins = |word: &[u8]| start.trim_ascii_start().starts_with(word);
    (begins(b"#") || begins(b"WARN")) && title && !has(start, "T:")
}

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let (mut table, mut low) = (Histogram::default(), false);
    let mut contents = by_line(name, FORMAT, input, |line| {
        if line.contains(LOW_RESOLUTION) {
            low = true;
            return Ok(Line::Other);
        }
        table.line(line)
    })?;
    // Every version ends with this line, even when interrupted.
    if table.overflows.is_empty() {
        contents.lacks("`# Histogram Overflows`");
    }
    let columns = table.threads();
    let mut builder = Builder::new(name, FORMAT, CONVENTION);
    builder.contents_by_value(contents);
    if low {
        builder.without_high_resolution();
    }
    for column in 0..columns {
        let cell = builder.cell(&format!("cyclictest thread {column}"), None, Conditions::default());
        table.check(cell, column, &mut builder);
        builder.distribution(table.distribution(cell, column));
    }
    builder.finish("no thread has counted anything")
}

/// The buckets of all threads.
#[derive(Default)]
pub(super) struct Histogram {
    rows: Buckets,
    totals: Vec<u64>,
    min: Vec<i64>,
    avg: Vec<i64>,
    max: Vec<i64>,
    overflows: Vec<u64>,
    /// Number of values of a thread beyond the last bucket, as counted in the list of their cycles.
    listed: BTreeMap<usize, u64>,
    /// Whether its title was read.
    begun: bool,
}

impl Histogram {
    /// Reads a line: a comment or a row.
    pub(super) fn line(&mut self, line: &str) -> Result<Line, LineFault> {
        match line.strip_prefix('#') {
            Some(comment) => self.comment(comment),
            None if line.trim().is_empty() => Ok(Line::Other),
            None => self.row(line),
        }
    }

    /// Returns whether it has no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.last().is_none()
    }

    fn comment(&mut self, comment: &str) -> Result<Line, LineFault> {
        let Some((key, rest)) = comment.split_once(':') else {
            return match comment.trim() {
                "Histogram" if self.begun => Err(SECOND_TABLE),
                "Histogram" => {
                    self.begun = true;
                    Ok(Line::Other)
                }
                other if other.starts_with("/dev/cpu_dma_latency") => Ok(Line::Other),
                _ => Ok(Line::Foreign),
            };
        };
        match key.trim() {
            "Total" => once(&mut self.totals, rest),
            "Min Latencies" => once(&mut self.min, rest),
            "Avg Latencies" => once(&mut self.avg, rest),
            "Max Latencies" => once(&mut self.max, rest),
            "Histogram Overflows" => once(&mut self.overflows, rest),
            "Histogram Overflow at cycle number" => Ok(Line::Other),
            key if key.starts_with("Thread ") => {
                let thread = key.strip_prefix("Thread ").and_then(|number| number.trim().parse().ok());
                if let Some((thread, count)) = thread.zip(cycles(rest)) {
                    self.listed.insert(thread, count);
                }
                Ok(Line::Other)
            }
            _ => Ok(Line::Foreign),
        }
    }

    fn row(&mut self, line: &str) -> Result<Line, LineFault> {
        let expected = "a bucket and a count per thread";
        let mut words = line.split_whitespace();
        let value = words.next().and_then(|word| word.parse().ok());
        let counts: Result<Vec<u64>, _> = words.take(MOST_COLUMNS + 1).map(str::parse).collect();
        if counts.as_ref().is_ok_and(|counts| counts.len() > MOST_COLUMNS) {
            return Err(LineFault::TooMuch("more than 4096 columns"));
        }
        let row = value.zip(counts.ok().filter(|counts| !counts.is_empty()));
        match row {
            // The closing lines of extremes end the table.
            Some(_) if !self.min.is_empty() => Err(SECOND_TABLE),
            None if !self.min.is_empty() => Ok(Line::Foreign),
            Some((value, counts)) => self.rows.add_above(value, &counts).map(|()| Line::Value),
            None => Err(expected.into()),
        }
    }

    /// Returns the number of threads: the last column may be the sum of the others.
    pub(super) fn threads(&self) -> usize {
        let columns = self.rows.columns().unwrap_or(self.min.len());
        // There is no sum of averages. With one thread, new versions add the column of sums and old ones do not.
        if self.avg.is_empty() { columns } else { columns.min(self.avg.len()) }
    }

    /// Refuses the file if the rows of a thread contradict the lines after them, or the column of sums.
    pub(super) fn check(&self, cell: u32, column: usize, builder: &mut Builder) {
        let counted = self.rows.column(column).map(|(_, count)| count).fold(0, u64::saturating_add);
        if let Some(total) = self.totals.get(column).filter(|total| **total != counted) {
            builder.contradicts(cell, &format!("its rows hold {counted} values, and `# Total` is {total}"));
        }
        let overflow = self.overflows.get(column).copied().unwrap_or(0);
        if let Some(listed) = self.listed.get(&column).filter(|listed| **listed != overflow) {
            let why = format!("{listed} cycles are listed for it, and `# Histogram Overflows` is {overflow}");
            builder.contradicts(cell, &why);
        }
        let sums = self.threads();
        if column == 0 && self.rows.columns() == Some(sums + 1) {
            let each = (0..sums).flat_map(|column| self.rows.column(column)).map(|(_, count)| count);
            let each = each.fold(0, u64::saturating_add);
            let sum = self.rows.column(sums).map(|(_, count)| count).fold(0, u64::saturating_add);
            if each != sum {
                let why = format!("the rows of all threads hold {each} values, and the column of sums {sum}");
                builder.contradicts(cell, &why);
            }
        }
    }

    /// Returns the distribution of a thread.
    pub(super) fn distribution(&self, cell: u32, column: usize) -> Distribution {
        let of = |values: &[i64]| values.get(column).copied();
        let buckets: Vec<(Nanos, Nanos, u64)> = self
            .rows
            .column(column)
            .filter_map(|(value, count)| cut_off(value, 1_000).map(|(low, high)| (low, high, count)))
            .collect();
        let counted: u64 = buckets.iter().map(|(_, _, count)| *count).fold(0, u64::saturating_add);
        let overflow = self.overflows.get(column).copied().unwrap_or(0);
        let total = self.totals.get(column).copied().unwrap_or(0);
        let beyond = self.rows.last().and_then(|value| cut_off(value, 1_000)).map(|(_, high)| high + Nanos::new(1));
        let mut lost =
            vec![Loss::Times, Loss::Order, Loss::Requests, Loss::Unit, Loss::Conditions, Loss::SkippedPeriods];
        lost.extend((overflow > 0).then_some(Loss::Overflow));
        let slept = counted > 0 || overflow > 0;
        Distribution {
            cell,
            quantity: Quantity::Oversleep,
            count: counted.max(total).saturating_add(overflow),
            buckets,
            outside_from: beyond,
            min: of(&self.min).filter(|_| slept).and_then(|min| cut_off(min, 1_000)).map(|(low, _)| low),
            max: of(&self.max).filter(|_| slept).and_then(|max| cut_off(max, 1_000)).map(|(_, high)| high),
            mean_ns: of(&self.avg).filter(|_| slept).map(|mean| mean as f64 * 1_000.0),
            lost,
        }
    }
}

/// Returns the number of cycles in a line such as `01028 01106 # 00978 others`: those listed and the others.
fn cycles(list: &str) -> Option<u64> {
    let (listed, others) = list.split_once('#').unwrap_or((list, ""));
    let others: u64 = match others.split_whitespace().next() {
        Some(count) => count.parse().ok()?,
        None => 0,
    };
    let listed = listed.split_whitespace().map(|cycle| cycle.parse::<u64>().ok());
    listed.map(|cycle| cycle.map(|_| 1)).sum::<Option<u64>>()?.checked_add(others)
}

/// Reads the figures of a closing line, which a table has once.
fn once<T: std::str::FromStr>(figures: &mut Vec<T>, text: &str) -> Result<Line, LineFault> {
    let numbers: Result<Vec<T>, _> = text.split_whitespace().take(MOST_COLUMNS).map(str::parse).collect();
    let numbers = numbers.map_err(|_| "a whole number per thread")?;
    if !figures.is_empty() {
        return Err(SECOND_TABLE);
    }
    *figures = numbers;
    Ok(Line::Value)
}
