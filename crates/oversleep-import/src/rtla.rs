//! rtla's histograms: `rtla timerlat hist` and `rtla osnoise hist`.
//!
//! There is one column per processor and kind: `IRQ-000`, `Thr-000`, `Usr-000` (all three delays count from the same
//! time) or `CPU-000`. Rows of zeros and offline processors are left out, and whole kinds if asked.

use super::buckets::Buckets;
use super::line_reader::{Line, LineFault, SECOND_TABLE, by_line};
use super::rtla_analysis::Analyses;
use super::whole_file::{Builder, cut_off, has};
use super::{ImportOptions, Importer, Input, Opened};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Distribution, Loss, Quantity};
use oversleep_sys::units::Nanos;

/// Reads such histograms.
pub(super) const RTLA: Importer =
    Importer::new(FORMAT, |start| has(start, "# RTLA ") && has(start, " histogram"), read);

const FORMAT: &str = "rtla-histogram";

fn read<'a>(name: &str, input: Input<'a>, _: &ImportOptions) -> Opened<'a> {
    let mut table = Table { unit: 1_000, ..Table::default() };
    let mut contents = by_line(name, FORMAT, input, |line| table.line(line))?;
    let convention = if table.noise {
        "rtla osnoise: time taken from a busy kernel thread, by noise"
    } else {
        "rtla timerlat: from the time a timer was set for to its handler, a kernel thread and user space; the three \
         count from the same time and do not add up"
    };
    let Closing { count, min, avg, max, .. } = &table.closing;
    let closing = [("count:", count), ("min:", min), ("avg:", avg), ("max:", max)];
    if let Some((missing, _)) = closing.into_iter().find(|(_, figures)| figures.is_empty()) {
        contents.lacks(&format!("`{missing}`"));
    }
    table.analyses.finish(&mut contents);
    let mut builder = Builder::new(name, FORMAT, convention);
    builder.contents_by_value(contents);
    for column in 0..table.columns.len() {
        let (quantity, cpu) = table.columns[column];
        let conditions = Conditions { affinity: Some(vec![cpu]), ..Conditions::default() };
        let program = if table.noise { "rtla osnoise" } else { "rtla timerlat" };
        let cell = builder.cell(program, None, conditions);
        if let Some(why) = table.miscounted(column) {
            builder.contradicts(cell, &why);
        }
        builder.distribution(table.distribution(cell, column, quantity));
    }
    table.analyses.describe(&mut builder);
    builder.finish("no column has counted anything")
}

#[derive(Default)]
struct Table {
    noise: bool,
    unit: i64,
    columns: Vec<(Quantity, u32)>,
    rows: Buckets,
    closing: Closing,
    /// Figures of all processors together, which come last. They are read so that what follows is noticed.
    sums: Option<Closing>,
    /// What `--auto-analysis` says after the table.
    analyses: Analyses,
}

/// The figures after the rows, one per column.
#[derive(Default)]
struct Closing {
    over: Vec<Option<i64>>,
    count: Vec<Option<i64>>,
    min: Vec<Option<i64>>,
    avg: Vec<Option<i64>>,
    max: Vec<Option<i64>>,
}

impl Closing {
    /// Returns the figures of a line that begins with this word; `None` if no such line does.
    fn named(&mut self, word: &str) -> Option<&mut Vec<Option<i64>>> {
        match word {
            "over:" => Some(&mut self.over),
            "count:" => Some(&mut self.count),
            "min:" => Some(&mut self.min),
            "avg:" => Some(&mut self.avg),
            "max:" => Some(&mut self.max),
            _ => None,
        }
    }
}

impl Table {
    fn line(&mut self, line: &str) -> Result<Line, LineFault> {
        let is_after = !self.closing.count.is_empty() || self.sums.is_some();
        if is_after && let Some(read) = self.analyses.line(line)? {
            return Ok(read);
        }
        if let Some(comment) = line.strip_prefix('#') {
            return self.comment(comment);
        }
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(Line::Other) };
        if self.columns.is_empty() {
            return if first == "Index" {
                self.header(words)?;
                Ok(Line::Value)
            } else {
                Err("Index and the names of columns".into())
            };
        }
        let rest: Vec<&str> = words.collect();
        let columns = self.columns.len();
        match first {
            "Index" => return Err(SECOND_TABLE),
            "ALL:" if self.sums.is_some() => return Err(SECOND_TABLE),
            "ALL:" => {
                self.sums = Some(Closing::default());
                return Ok(Line::Value);
            }
            _ => {}
        }
        let of_columns = self.sums.is_none();
        if let Some(figures) = self.sums.as_mut().unwrap_or(&mut self.closing).named(first) {
            let read = summary(&rest)?;
            if !figures.is_empty() {
                return Err(SECOND_TABLE);
            }
            if read.is_empty() || of_columns && read.len() != columns {
                return Err("as many figures as there are columns".into());
            }
            *figures = read;
            return Ok(Line::Value);
        }
        match first.parse() {
            Ok(bucket) if !is_after => self.row(bucket, &rest).map(|()| Line::Value),
            Ok(_) if rest.len() == columns && rest.iter().all(|word| word.parse::<u64>().is_ok()) => Err(SECOND_TABLE),
            // Notes on missed events follow the table.
            _ if is_after => Ok(Line::Foreign),
            _ => Err("a bucket and a count per column".into()),
        }
    }

    fn comment(&mut self, comment: &str) -> Result<Line, LineFault> {
        let comment = comment.trim();
        let is_title = comment.starts_with("RTLA ") && comment.contains(" histogram");
        if !self.columns.is_empty() {
            return if is_title { Err(SECOND_TABLE) } else { Ok(Line::Foreign) };
        }
        if is_title {
            self.noise |= comment.contains("osnoise");
        } else if comment.starts_with("Time unit") {
            if comment.contains("nanoseconds") {
                self.unit = 1;
            }
        } else if !comment.starts_with("Duration:") {
            return Ok(Line::Foreign);
        }
        Ok(Line::Other)
    }

    fn header<'a>(&mut self, names: impl Iterator<Item = &'a str>) -> Result<(), &'static str> {
        for name in names.take(1 << 14) {
            let column = name.split_once('-').and_then(|(kind, cpu)| {
                let quantity = match kind {
                    "IRQ" => Quantity::TimerInterrupt,
                    "Thr" => Quantity::TimerThread,
                    "Usr" => Quantity::TimerUser,
                    "CPU" => Quantity::Noise,
                    _ => return None,
                };
                Some((quantity, cpu.parse().ok()?))
            });
            self.columns.push(column.ok_or("a column such as IRQ-000, Thr-000, Usr-000 or CPU-000")?);
        }
        if self.columns.is_empty() { Err("the names of columns") } else { Ok(()) }
    }

    fn row(&mut self, bucket: i64, counts: &[&str]) -> Result<(), LineFault> {
        let counts: Result<Vec<u64>, _> = counts.iter().map(|count| count.parse()).collect();
        let counts = counts.map_err(|_| "a bucket and a count per column")?;
        if counts.len() != self.columns.len() {
            return Err("as many counts as there are columns".into());
        }
        self.rows.add_above(bucket, &counts)
    }

    /// Returns how the rows of a column contradict its `count:`; `None` if they do not.
    fn miscounted(&self, column: usize) -> Option<String> {
        let of =
            |values: &[Option<i64>]| values.get(column).copied().flatten().and_then(|value| u64::try_from(value).ok());
        // Without `over:`, values beyond the rows are not known; a bucket's count is an `int`, which overflows.
        let (over, all) = (of(&self.closing.over)?, of(&self.closing.count)?);
        let listed = self.rows.column(column).map(|(_, count)| count).fold(over, u64::saturating_add);
        let wrapped = all > u64::from(i32::MAX.unsigned_abs());
        (listed != all && !wrapped)
            .then(|| format!("its rows and `over:` hold {listed} values together, and `count:` is {all}"))
    }

    fn distribution(&self, cell: u32, column: usize, quantity: Quantity) -> Distribution {
        let width = self.rows.width();
        let of = |values: &[Option<i64>]| values.get(column).copied().flatten();
        let end = |value: i64| cut_off(value, self.unit).map(|(_, high)| high);
        let bucket = |value: i64| {
            let (low, _) = cut_off(value, self.unit)?;
            Some((low, end(value.checked_add(width - 1)?)?))
        };
        let buckets: Vec<(Nanos, Nanos, u64)> = self
            .rows
            .column(column)
            .filter_map(|(value, count)| bucket(value).map(|(low, high)| (low, high, count)))
            .collect();
        let counted = buckets.iter().map(|(_, _, count)| *count).fold(0, u64::saturating_add);
        let over = of(&self.closing.over).and_then(|over| u64::try_from(over).ok()).unwrap_or(0);
        let all = of(&self.closing.count).and_then(|count| u64::try_from(count).ok()).unwrap_or(0);
        let mut lost = vec![Loss::Times, Loss::Order, Loss::Requests, Loss::Conditions];
        lost.extend((over > 0).then_some(Loss::Overflow));
        Distribution {
            cell,
            quantity,
            count: all.max(counted.saturating_add(over)),
            outside_from: self.rows.last().and_then(bucket).map(|(_, high)| high + Nanos::new(1)),
            buckets,
            min: of(&self.closing.min).and_then(|min| cut_off(min, self.unit)).map(|(low, _)| low),
            max: of(&self.closing.max).and_then(end),
            mean_ns: of(&self.closing.avg).map(|mean| mean as f64 * self.unit as f64),
            lost,
        }
    }
}

fn summary(words: &[&str]) -> Result<Vec<Option<i64>>, &'static str> {
    // Without any value, older versions print the largest number as their minimum.
    let nothing = u64::MAX.to_string();
    let value = |word: &&str| match *word {
        "-" => Ok(None),
        number if number == nothing => Ok(None),
        number => number.parse().map(Some).map_err(|_| "a whole number or - per column"),
    };
    words.iter().map(value).collect()
}
