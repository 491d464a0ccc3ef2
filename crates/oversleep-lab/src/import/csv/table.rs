//! Reads a table of any length into a sink, in memory that does not grow with its length.

use super::brackets::{paired, width};
use super::cells::{Cells, Family, family};
use super::columns::Columns;
use super::kinds::Kinds;
use super::lines::JsonLines;
use super::order::overlapping;
use super::text::{self, Progress, Text};
use super::units::Mapping;
use super::{CsvError, FORMAT, Row, meta};
use crate::import::names::Names;
use crate::import::{Ending, ImportError, ImportOptions, Importer, Records};
use csv::{ReaderBuilder, StringRecord, Trim};
use oversleep_recording::{End, Meta, Note, Obtained, Sink};
use oversleep_sys::units::Nanos;
use std::collections::{HashMap, HashSet};
use std::io::{BufRead, Read};

/// Number of first rows from which the cells of a table are inferred: requests that repeat there are taken to repeat.
const HEAD: usize = 1 << 18;
/// Number of rows passed on at a time.
const BATCH: usize = 1 << 12;
/// Number of different methods above which a table is refused: each is a row of the report.
const MOST_METHODS: usize = 1 << 10;
/// Number of different pairs of method and conditions above which a table is refused.
const MOST_FAMILIES: usize = 1 << 12;

/// Reads tables of separated values.
pub(in crate::import) struct Tables;

impl Importer for Tables {
    fn name(&self) -> &'static str {
        FORMAT
    }

    fn is_table(&self) -> bool {
        true
    }

    /// Accepts everything: tables are tried last.
    fn sniff(&self, _start: &[u8]) -> bool {
        true
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        options: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        records(name, FORMAT, Table::open(name, FORMAT, input, &options.columns, 0))
    }
}

/// Reads JSON objects, one per line.
pub(in crate::import) struct Lines;

impl Importer for Lines {
    fn name(&self) -> &'static str {
        "json-lines"
    }

    fn is_table(&self) -> bool {
        true
    }

    /// Accepts a first line that begins a JSON object, and that either names `requested` or ends with the object.
    fn sniff(&self, start: &[u8]) -> bool {
        let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let has = |key: &[u8]| line.windows(key.len()).any(|window| window == key);
        line.starts_with(b"{\"") && has(b":") && (has(b"requested") || line.trim_ascii_end().ends_with(b"}"))
    }

    fn read<'a>(
        &self,
        name: &str,
        input: Box<dyn BufRead + 'a>,
        options: &ImportOptions,
    ) -> Result<Box<dyn Records + 'a>, ImportError> {
        let format = self.name();
        records(name, format, Table::open(name, format, JsonLines::new(input), &options.columns, 1))
    }
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
    batch: Vec<Row>,
    /// Error that ended the reading before the table's end.
    broken: Option<CsvError>,
    name: String,
    meta: Meta,
    cells: Cells,
    /// Assumed width of the bracket of each pair of readings, in ns.
    width: Nanos,
    sequences: HashMap<(u32, u16), u64>,
    /// Cells and threads whose conditions have been noted.
    noted: HashSet<(u32, u16)>,
    remarks: Vec<String>,
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
        let overlapping = overlapping(&batch, rows.columns.has_threads());
        let remarks = rows.columns.coarse(&batch).into_iter().chain(overlapping).collect();
        let (plan, cells) = Cells::of(&batch, &rows.kinds);
        let meta = meta(name, format, plan);
        let (name, width) = (name.to_owned(), width(&batch));
        let (sequences, noted) = (HashMap::new(), HashSet::new());
        Ok(Self { rows, batch, broken, name, meta, cells, width, sequences, noted, remarks })
    }

    /// Passes all rows on. If an error ended the reading, returns it with the number of rows before it.
    pub(super) fn rows_into(&mut self, sink: &mut dyn Sink) -> Result<(), (CsvError, u64)> {
        let mut read = 0;
        while !self.batch.is_empty() {
            let batch = std::mem::take(&mut self.batch);
            self.hand_on(&batch, sink);
            read += batch.len() as u64;
            self.batch = Vec::with_capacity(BATCH);
            if self.broken.is_none() {
                self.broken = self.rows.fill(&mut self.batch, BATCH).err();
            }
        }
        let broken = self.broken.take();
        sink.note(&Note { end: broken.is_none().then_some(End::Complete), ..Note::default() });
        broken.map_or(Ok(()), |why| Err((why, read)))
    }
}

/// Iterates over a table's rows.
struct Rows<R> {
    reader: csv::Reader<Text<R>>,
    progress: Progress,
    columns: Columns,
    kinds: Kinds,
    record: StringRecord,
    names: Names,
    /// Methods with the number of each one's set of conditions.
    families: HashSet<Family>,
    added: u64,
}

impl<R: Read> Rows<R> {
    fn open(input: R, mapping: &Mapping, added: u64) -> Result<Self, CsvError> {
        let (input, progress, separator) = text::open(input, mapping)?;
        let mut reader =
            ReaderBuilder::new().delimiter(separator).trim(Trim::All).comment(Some(b'#')).from_reader(input);
        let header = reader.headers().map_err(|error| CsvError::at(error, 1))?;
        let (columns, kinds) = Columns::of(header, mapping, added)?;
        let (record, names, families) = (StringRecord::new(), Names::new(MOST_METHODS), HashSet::new());
        Ok(Self { reader, progress, columns, kinds: Kinds::new(kinds), record, names, families, added })
    }

    /// Appends rows until there are `most`, or the table ends.
    fn fill(&mut self, rows: &mut Vec<Row>, most: usize) -> Result<(), CsvError> {
        while rows.len() < most {
            self.progress.made();
            let line = self.reader.position().line();
            let read = self.reader.read_record(&mut self.record);
            if !read.map_err(|error| CsvError::at(error, line.saturating_sub(self.added)))? {
                break;
            }
            let line = self.record.position().map_or(line, csv::Position::line).saturating_sub(self.added);
            if self.progress.is_cut(self.reader.position().byte()) {
                return Err(CsvError::Cut { line });
            }
            let row = self.columns.row(&self.record, &mut self.names, &mut self.kinds)?;
            self.count(&row, line)?;
            rows.push(row);
        }
        Ok(())
    }

    /// Refuses a row with one method or one set of conditions too many.
    fn count(&mut self, row: &Row, line: u64) -> Result<(), CsvError> {
        let family = family(row, &self.kinds);
        if self.families.contains(&family) {
            return Ok(());
        }
        if self.families.len() == MOST_FAMILIES {
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
    fn hand_on(&mut self, rows: &[Row], sink: &mut dyn Sink) {
        let mut note = Note::default();
        let mut samples = Vec::with_capacity(rows.len());
        for row in rows {
            let cell = self.cells.number(row, &self.rows.kinds).unwrap_or_else(|| self.admit(row, sink));
            if let Some(conditions) = &self.rows.kinds.kind(row.kind).obtained
                && self.noted.insert((cell, row.thread))
            {
                note.obtained.push(Obtained { cell, thread: row.thread, conditions: conditions.clone() });
            }
            let next = self.sequences.entry((cell, row.thread)).or_insert(0);
            let sequence = row.sequence.unwrap_or(*next);
            *next = sequence.saturating_add(1);
            samples.push(row.sample(cell, sequence));
        }
        if !note.is_empty() {
            sink.note(&note);
        }
        sink.samples(&samples);
        let brackets = paired(rows, self.width);
        if !brackets.is_empty() {
            sink.note(&Note { brackets, ..Note::default() });
        }
    }

    /// Adds a cell for a row that fits none of the cells so far.
    fn admit(&mut self, row: &Row, sink: &mut dyn Sink) -> u32 {
        let cell = self.cells.admit_late(row, self.meta.plan.cells.len(), &self.rows.kinds);
        let id = cell.id;
        sink.cell(&cell);
        self.meta.plan.cells.push(cell);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::MOST_CELLS;
    use super::*;
    use crate::import::csv;
    use oversleep_recording::plan::Pattern;
    use std::fmt::Write;

    const HEADER: &str = "method,thread,requested_ns,start_mono_ns,end_mono_ns,start_real_ns,end_real_ns\n";

    fn line(table: &mut String, method: &str, number: i64, requested: i64) {
        let (start, end) = (number * 3_000, number * 3_000 + requested + 50);
        writeln!(table, "{method},{},{requested},{start},{end},{},{}", number % 2, start + 7, end + 7).unwrap();
    }

    #[test]
    fn what_comes_after_the_head_finds_or_makes_its_cell() {
        let mut table = HEADER.to_owned();
        let head = i64::try_from(HEAD).unwrap();
        (0..head).for_each(|number| line(&mut table, "nanosleep", number, 1_000));
        (head..head + 5_000).for_each(|number| line(&mut table, "nanosleep", number, 1_000 + number % 2));
        line(&mut table, "poll", head + 5_000, 1_000);
        let imported = csv::read(table.as_bytes(), "x.csv").unwrap();
        assert_eq!(imported.samples.len(), HEAD + 5_001);
        let cells = &imported.meta.plan.cells;
        assert_eq!(
            cells.iter().map(|cell| cell.method.as_str()).collect::<Vec<_>>(),
            ["nanosleep", "nanosleep", "poll"]
        );
        assert_eq!(imported.of_cell(1).count(), 2_500);
        assert!(imported.of_cell(1).all(|sample| sample.requested == Nanos::new(1_001)));
        assert_eq!(imported.note.brackets.len(), 2 * imported.samples.len());
    }

    #[test]
    fn cells_stay_few() {
        let mut table = HEADER.to_owned();
        let head = i64::try_from(HEAD).unwrap();
        (0..head).for_each(|number| line(&mut table, "nanosleep", number, 1_000));
        (0..3_000).for_each(|number| line(&mut table, "nanosleep", head + number, 2_000 + number));
        let imported = csv::read(table.as_bytes(), "x.csv").unwrap();
        let cells = &imported.meta.plan.cells;
        assert_eq!(cells.len(), MOST_CELLS + 1);
        assert!(matches!(cells[MOST_CELLS].pattern, Pattern::Random { .. }));
        assert_eq!(imported.samples.len(), HEAD + 3_000);
        assert_eq!(imported.of_cell(u32::try_from(MOST_CELLS).unwrap()).count(), 3_000 - (MOST_CELLS - 1));
    }

    #[test]
    fn methods_are_not_merged_and_too_many_are_refused() {
        let head = "method,requested_ns,start_ns,end_ns\n";
        let long = "m".repeat(60);
        let table = format!("{head}{long}A,9,0,10\n{long}B,9,20,30\nna\u{1}p,9,40,50\nnap,9,60,70\n");
        assert_eq!(csv::read(table.as_bytes(), "t").unwrap().meta.plan.cells.len(), 4);
        let rows = |most: usize| (0..most).fold(head.to_owned(), |text, row| text + &format!("m{row},9,{row},{row}\n"));
        assert_eq!(csv::read(rows(MOST_METHODS).as_bytes(), "t").unwrap().meta.plan.cells.len(), MOST_METHODS);
        let error = csv::read(rows(MOST_METHODS + 1).as_bytes(), "t").unwrap_err().to_string();
        assert_eq!(error, "line 1026: more than 1024 different methods; is `method` the column of methods?");
        let error = csv::read(format!("{head}{},9,0,1\n", "m".repeat(5_000)).as_bytes(), "t").unwrap_err().to_string();
        assert_eq!(error, "line 2: a method's name of more than 4096 bytes");
        // With two loads of each, there are too many pairs before there are too many of either.
        let pairs: String = (0..5_000).map(|row| format!("m{},9,{row},{row},{}\n", row % 1_000, row / 1_000)).collect();
        let error =
            csv::read(format!("method,requested_ns,start_ns,end_ns,load\n{pairs}").as_bytes(), "t").unwrap_err();
        assert_eq!(error.to_string(), "line 4098: more than 4096 different pairs of method and conditions");
    }

    #[test]
    fn many_requests_that_repeat_share_a_cell() {
        let mut table = HEADER.to_owned();
        (0..8_000).for_each(|number| line(&mut table, "nanosleep", number, 1_000 + number / 4));
        let imported = csv::read(table.as_bytes(), "x.csv").unwrap();
        let cells = &imported.meta.plan.cells;
        assert_eq!((cells.len(), imported.samples.len()), (MOST_CELLS + 1, 8_000));
        assert!(matches!(cells[MOST_CELLS].pattern, Pattern::Random { .. }));
        assert_eq!(imported.of_cell(u32::try_from(MOST_CELLS).unwrap()).count(), 8_000 - 4 * MOST_CELLS);
    }

    #[test]
    fn a_last_line_without_its_end_may_lack_digits() {
        let head = "requested_ns,end_ns,start_ns\n";
        // After `\r\n` the csv library names the line before: it has not read the `\n` that it counts.
        for (table, line) in [("9,30,10\n9,70,5", 3), ("9,30,10\r\n9,70,5", 2)] {
            let text = head.to_owned() + table;
            let mut table = Table::open("t", FORMAT, text.as_bytes(), &Mapping::default(), 0).unwrap();
            let mut recording = oversleep_recording::Recording::new(table.meta().clone());
            let (why, rows) = table.rows_into(&mut recording).unwrap_err();
            assert!(matches!(why, CsvError::Cut { line: at } if at == line), "{why}");
            assert_eq!((rows, recording.samples.len()), (1, 1));
        }
        for whole in ["9,30,10\n9,70,50\n", "9,30,10\n9,70,50\r\n", "\u{feff}9,30,10\n9,70,50\n"] {
            let table = if let Some(rows) = whole.strip_prefix('\u{feff}') {
                format!("\u{feff}{head}{rows}")
            } else {
                head.to_owned() + whole
            };
            assert_eq!(csv::read(table.as_bytes(), "t").unwrap().samples.len(), 2, "{whole:?}");
        }
        let marked = format!("\u{feff}{head}9,30,1");
        assert!(matches!(csv::read(marked.as_bytes(), "t"), Err(CsvError::Cut { line: 2 })));
    }

    #[test]
    fn numbers_are_read_as_programs_write_them_and_refused_with_the_reason() {
        let read = |row: &str| csv::read(format!("method,requested_ns,start_ns,end_ns\n{row}\n").as_bytes(), "t");
        let sample = read("a,1e6,1000000.0,3000000").unwrap().samples[0];
        assert_eq!((sample.requested, sample.start), (Nanos::MILLISECOND, Nanos::MILLISECOND));
        for (row, why) in [
            ("a,,1,2", "line 2: column requested_ns is empty"),
            ("a,1.5,1,2", "line 2: `1.5` in column requested_ns is not a whole number of nanoseconds, such as 1000000"),
            ("a,1e300,1,2", "`1e300` in column requested_ns is not a whole number of nanoseconds, such as 1000000"),
            ("a,-1,1,2", "line 2: a request below zero"),
        ] {
            let error = read(row).unwrap_err().to_string();
            assert!(error.contains(why), "{row}: {error}");
        }
        // Names are shown on terminals and must not contain control characters.
        let long = "x".repeat(300);
        let recording = read(&format!("\u{1b}[31mnano{long},1,1,2")).unwrap();
        let method = &recording.meta.plan.cells[0].method;
        assert!(method.starts_with("[31mnano") && method.len() == 60, "{method}");
    }

    #[test]
    fn a_bad_line_far_down_is_told_with_its_number() {
        let mut table = HEADER.to_owned();
        (0..300_000).for_each(|number| line(&mut table, "nanosleep", number, 1_000));
        table += "nanosleep,0,x,1,2,3,4\n";
        let error = csv::read(table.as_bytes(), "x.csv").unwrap_err();
        assert!(matches!(error, CsvError::Number { line: 300_002, .. }), "{error}");
    }
}
