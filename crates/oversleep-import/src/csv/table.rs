//! Reads a table of any length into a sink, in memory that does not grow with its length.

use super::cells::{Cells, Family, family};
use super::columns::Columns;
use super::json_lines::JsonLines;
use super::periods::PeriodCounter;
use super::shared_fields::SharedFields;
use super::text::{self, RowPosition, Text};
use super::units::Mapping;
use super::{CsvError, FORMAT, SleepRow, meta};
use crate::shown_names::ShownNames;
use crate::{Ending, ImportError, ImportOptions, Importer, Input, Opened, Records};
use csv::{ReaderBuilder, StringRecord, Trim};
use oversleep_recording::plan::ClockName;
use oversleep_recording::{Bracket, End, Meta, Note, Obtained, Sink};
use oversleep_sys::units::Nanos;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::rc::Rc;

/// Number of first rows from which the cells of a table are inferred: requests that repeat there are taken to repeat.
const HEAD: usize = 1 << 18;
/// Number of rows passed on at a time.
const BATCH: usize = 1 << 12;
/// Number of different methods above which a table is refused: each is a row of the report.
const MOST_METHODS: usize = 1 << 10;
/// Number of different pairs of method and conditions above which a table is refused.
const MOST_FAMILIES: usize = 1 << 12;
/// Number of different pairs of cell and thread above which a table is refused: each has a sequence of its own.
const MOST_TRACKS: usize = 1 << 18;

/// Reads tables of separated values.
/// Accepts everything: tables are tried last.
pub(crate) const TABLES: Importer = Importer { is_table: true, ..Importer::new(FORMAT, |_| true, read_tables) };

fn read_tables<'a>(name: &str, input: Input<'a>, options: &ImportOptions) -> Opened<'a> {
    records(name, FORMAT, Table::open(name, FORMAT, input, &options.columns, 0))
}

/// Reads JSON objects, one per line.
pub(crate) const JSON_LINES: Importer =
    Importer { is_table: true, ..Importer::new("json-lines", sniff_json_lines_importer, read_json_lines_importer) };

/// Accepts a first line that begins a JSON object, and that either names `requested` or ends with the object.
fn sniff_json_lines_importer(start: &[u8]) -> bool {
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let has = |key: &[u8]| line.windows(key.len()).any(|window| window == key);
    line.starts_with(b"{\"") && has(b":") && (has(b"requested") || line.trim_ascii_end().ends_with(b"}"))
}

fn read_json_lines_importer<'a>(name: &str, input: Input<'a>, options: &ImportOptions) -> Opened<'a> {
    let format = "json-lines";
    records(name, format, Table::open(name, format, JsonLines::new(input), &options.columns, 1))
}

fn records<'a, R: Read + 'a>(
    name: &str,
    _format: &str,
    table: Result<Table<R>, CsvError>,
) -> Result<Box<dyn Records + 'a>, ImportError> {
    let table = table.map_err(|why| ImportError::Table { name: name.to_owned(), why: Box::new(why), rows: 0 })?;
    Ok(Box::new(table))
}

/// A table whose first rows have been read and define its cells. Requests that appear later get cells of their own.
pub(super) struct Table<R> {
    rows: Rows<R>,
    /// Rows that were read but not yet passed on.
    batch: Vec<SleepRow>,
    /// Error that ended the reading before the table's end.
    broken: Option<CsvError>,
    name: String,
    meta: Meta,
    cells: Cells,
    /// Assumed width of the bracket of each pair of readings, in ns.
    width: Nanos,
    sequences: HashMap<(u32, u16), u64>,
    periods: PeriodCounter,
    /// Cells and threads whose conditions have been noted.
    noted: HashSet<(u32, u16)>,
    remarks: Vec<String>,
    /// Rows that overlap, of those read so far; `None` once a remark says so.
    overlap: Option<Overlap>,
    stated: StatedOversleep,
    /// Number of rows whose sequence is not above that of an earlier row of their cell and thread.
    repeated: u64,
}

impl<R: Read> Table<R> {
    /// Reads the first rows. Returns the error of a table without a single valid row. `added` is the number of lines
    /// that are read but are not in the file.
    pub(super) fn open(name: &str, format: &str, input: R, mapping: &Mapping, added: u64) -> Result<Self, CsvError> {
        let mut rows = Rows::open(input, mapping, added)?;
        let mut batch = Vec::new();
        let broken = rows.fill(&mut batch, HEAD).err();
        if batch.is_empty() {
            return Err(broken.unwrap_or(CsvError::Empty));
        }
        rows.columns.doubt(&batch)?;
        let mut overlap = Overlap::default();
        let mut stated = StatedOversleep::default();
        for row in &batch {
            overlap.add(row);
            stated.add(row);
        }
        let overlapping = overlap.remark(rows.columns.has_threads());
        let columns = &rows.columns;
        let of_columns = [columns.assumed(), columns.coarse(&batch), columns.unread(), columns.in_words()];
        let remarks = of_columns.into_iter().flatten().chain(overlapping.clone()).collect();
        let (plan, cells) = Cells::infer(&batch, &rows.shared_fields);
        let meta = meta(name, format, plan);
        let (name, width) = (name.to_owned(), bracket_width(&batch));
        let (sequences, periods, noted) = (HashMap::new(), PeriodCounter::default(), HashSet::new());
        let overlap = if overlapping.is_some() { None } else { Some(overlap) };
        Ok(Self {
            rows,
            batch,
            broken,
            name,
            meta,
            cells,
            width,
            sequences,
            periods,
            noted,
            remarks,
            overlap,
            stated,
            repeated: 0,
        })
    }

    /// Passes all rows on. If an error ended the reading, returns it with the number of rows before it.
    pub(super) fn rows_into(&mut self, sink: &mut dyn Sink) -> Result<(), (CsvError, u64)> {
        let mut read = 0;
        while !self.batch.is_empty() {
            let batch = std::mem::take(&mut self.batch);
            let handed_on = self.hand_on(&batch, sink);
            read += handed_on;
            if handed_on < batch.len() as u64 {
                self.broken = Some(CsvError::TooMuch("262144 different pairs of cell and thread"));
                break;
            }
            self.batch = Vec::with_capacity(BATCH);
            if self.broken.is_none() {
                self.broken = self.rows.fill(&mut self.batch, BATCH).err();
            }
            if let Some(overlap) = &mut self.overlap {
                self.batch.iter().for_each(|row| overlap.add(row));
            }
            self.batch.iter().for_each(|row| self.stated.add(row));
        }
        let overlap = self.overlap.take();
        self.remarks.extend(overlap.and_then(|overlap| overlap.remark(self.rows.columns.has_threads())));
        self.remarks.extend(self.stated.remark());
        self.remarks.extend((self.repeated > 0).then(|| {
            format!(
                "{} of {read} rows have a `sequence` that is not above that of an earlier row of their thread: they are there \
                 twice, out of order, or of several runs",
                self.repeated
            )
        }));
        self.remarks.extend(self.periods.remark());
        if let Some(why) = self.broken.take() {
            return Err((why, read));
        }
        let periods = std::mem::take(&mut self.periods).accounts();
        let load_kind_assumed = self.rows.shared_fields.lack_load_kind();
        sink.note(&Note { periods, load_kind_assumed, end: Some(End::Complete), ..Note::default() });
        Ok(())
    }
}

/// Iterates over a table's rows.
struct Rows<R> {
    reader: csv::Reader<Text<R>>,
    place: RowPosition,
    columns: Columns,
    shared_fields: SharedFields,
    record: StringRecord,
    names: ShownNames,
    /// Methods with the number of each one's set of conditions.
    families: HashSet<Family>,
}

impl<R: Read> Rows<R> {
    fn open(input: R, mapping: &Mapping, added: u64) -> Result<Self, CsvError> {
        let (input, place, separator) = text::open(input, mapping, added)?;
        let mut reader =
            ReaderBuilder::new().delimiter(separator).trim(Trim::All).comment(Some(b'#')).from_reader(input);
        let header = reader.headers().map_err(|error| CsvError::at(error, place.line()))?;
        let (columns, shared_fields) = Columns::find(header, mapping)?;
        let (record, names, families) = (StringRecord::new(), ShownNames::new(MOST_METHODS), HashSet::new());
        Ok(Self { reader, place, columns, shared_fields: SharedFields::new(shared_fields), record, names, families })
    }

    /// Appends rows until there are `most`, or the table ends.
    fn fill(&mut self, rows: &mut Vec<SleepRow>, most: usize) -> Result<(), CsvError> {
        while rows.len() < most {
            self.place.begin_row(self.reader.position().byte());
            let read = self.reader.read_record(&mut self.record);
            if !read.map_err(|error| CsvError::at(error, self.place.line()))? {
                break;
            }
            if self.place.is_cut(self.reader.position().byte()) {
                return Err(CsvError::Cut { line: self.place.line() });
            }
            let row = self.columns.row(&self.record, &self.place, &mut self.names, &mut self.shared_fields)?;
            self.count(&row)?;
            rows.push(row);
        }
        Ok(())
    }

    /// Refuses a row with one method or one set of conditions too many.
    fn count(&mut self, row: &SleepRow) -> Result<(), CsvError> {
        let family = family(row, &self.shared_fields);
        if self.families.contains(&family) {
            return Ok(());
        }
        if self.families.len() == MOST_FAMILIES {
            let line = self.place.line();
            return Err(CsvError::Row { line, why: "more than 4096 different pairs of method and conditions" });
        }
        self.families.insert(family);
        Ok(())
    }
}

impl<R: Read> Records for Table<R> {
    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn read_into(&mut self, sink: &mut dyn Sink) -> Ending {
        match self.rows_into(sink) {
            Ok(()) => Ending::Complete,
            Err((why, rows)) => {
                Ending::Broken(ImportError::Table { name: self.name.clone(), why: Box::new(why), rows })
            }
        }
    }

    fn remarks(&self) -> &[String] {
        &self.remarks
    }
}

impl<R> Table<R> {
    /// Passes rows on until one has a pair of cell and thread too many, and returns their number.
    fn hand_on(&mut self, rows: &[SleepRow], sink: &mut dyn Sink) -> u64 {
        let mut note = Note::default();
        let mut samples = Vec::with_capacity(rows.len());
        for row in rows {
            let cell = self.cells.number(row, &self.rows.shared_fields).unwrap_or_else(|| self.admit(row, sink));
            if let Some(conditions) = &self.rows.shared_fields.set(row.field_set).obtained
                && self.noted.insert((cell, row.thread))
            {
                note.obtained.push(Obtained { cell, thread: row.thread, conditions: conditions.clone() });
            }
            if self.sequences.len() == MOST_TRACKS && !self.sequences.contains_key(&(cell, row.thread)) {
                break;
            }
            let next = self.sequences.entry((cell, row.thread)).or_insert(0);
            let sequence = row.sequence.unwrap_or(*next);
            self.repeated += u64::from(sequence < *next);
            *next = sequence.saturating_add(1).max(*next);
            let sample = row.sample(cell, sequence);
            // Without numbers, no period is known to be skipped.
            if let Some(schedule) = self.cells.schedule(cell).filter(|_| self.rows.columns.has_sequence()) {
                self.periods.add(&sample, schedule);
            }
            samples.push(sample);
        }
        if !note.is_empty() {
            sink.note(&note);
        }
        sink.samples(&samples);
        let brackets = paired_brackets(&rows[..samples.len()], self.width);
        if !brackets.is_empty() {
            sink.note(&Note { brackets, ..Note::default() });
        }
        samples.len() as u64
    }

    /// Adds a cell for a row that fits none of the cells so far.
    fn admit(&mut self, row: &SleepRow, sink: &mut dyn Sink) -> u32 {
        let cell = self.cells.admit_late(row, self.meta.plan.cells.len(), &self.rows.shared_fields);
        let id = cell.id;
        sink.cell(&cell);
        self.meta.plan.cells.push(cell);
        id
    }
}

/// Returns the assumed width of the bracket of each pair of readings.
///
/// The table does not say how long the two readings took. The durations of a sleep on the two clocks differ by the
/// delays at both ends together, so half of the median difference is about the width of one bracket.
pub(super) fn bracket_width(rows: &[SleepRow]) -> Nanos {
    let mut spread: Vec<i64> = rows
        .iter()
        .filter_map(|row| row.real.map(|(start, end)| ((end - start) - (row.end - row.start)).abs()))
        .collect();
    spread.sort_unstable();
    // The median, by nearest rank; importers do not use the module `figures`.
    let middle = spread.len().saturating_sub(1) / 2;
    Nanos::new(spread.get(middle).copied().unwrap_or(0) / 2)
}

/// Returns each pair of readings as the wall clock read within a bracket of the monotonic one.
pub(super) fn paired_brackets(rows: &[SleepRow], width: Nanos) -> Vec<Bracket> {
    let bracket = |mono: i64, real: i64| Bracket {
        clock: ClockName::Realtime,
        monotonic: Nanos::new(mono),
        width,
        reading: Nanos::new(real),
    };
    rows.iter()
        .filter_map(|row| row.real.map(|(start, end)| [bracket(row.start, start), bracket(row.end, end)]))
        .flatten()
        .collect()
}

/// Number of threads of a method and its conditions above which no more are followed.
const MOST: usize = 1 << 18;

/// Counts rows that start before an earlier row of the same method, conditions and thread has ended. Sleeps under other
/// conditions may come in batches of their own, as a recording has them.
#[derive(Default)]
pub(super) struct Overlap {
    ends: HashMap<(Rc<str>, u32, u16), i64>,
    rows: u64,
    early: u64,
}

impl Overlap {
    /// Takes the next row.
    pub(super) fn add(&mut self, row: &SleepRow) {
        let of = (Rc::clone(&row.method), row.field_set, row.thread);
        if self.ends.len() == MOST && !self.ends.contains_key(&of) {
            return;
        }
        let end = self.ends.entry(of).or_insert(i64::MIN);
        self.rows += 1;
        self.early += u64::from(row.start < *end);
        *end = row.end.max(*end);
    }

    /// Returns a remark if at least one row in a hundred is such a row.
    ///
    /// Fewer can be the tables of several runs, one below the other, each with times from its own beginning.
    pub(super) fn remark(&self, has_threads: bool) -> Option<String> {
        let Self { rows, early, .. } = self;
        if *early == 0 || early * 100 < *rows {
            return None;
        }
        let missing = if has_threads { "" } else { ", or a column `thread` is missing" };
        Some(format!(
            "{early} of {rows} rows start before an earlier row of their thread has ended, so they are not sleeps of one \
             thread: rows are there twice or out of order{missing}"
        ))
    }
}

/// Compares the oversleep that rows state with that of their times.
#[derive(Default)]
pub(super) struct StatedOversleep {
    rows: u64,
    different: u64,
}

impl StatedOversleep {
    /// Takes the next row.
    pub(super) fn add(&mut self, row: &SleepRow) {
        let Some(stated) = row.oversleep else { return };
        self.rows += 1;
        self.different += u64::from(row.sample(0, 0).oversleep().get() != stated);
    }

    /// Returns a remark if a row states another oversleep than its times have.
    pub(super) fn remark(&self) -> Option<String> {
        let Self { rows, different } = self;
        (*different > 0).then(|| {
            format!(
                "`oversleep_ns` of {different} of {rows} rows is not the oversleep of their times, which is used: end minus \
                 deadline, or end minus start minus request"
            )
        })
    }
}

#[cfg(test)]
mod tests;
