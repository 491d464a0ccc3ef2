//! The table of sleeps: one row per sleep, with the columns of CSV.

use super::facts::{Facts, Partition};
use super::table::{Column, Kind, Table, Value};
use crate::export::one_batch_behind::{OneBatchBehind, SampleWriter};
use crate::export::rows::{FirstObtained, PlannedCell, planned};
use oversleep_recording::plan::{Cell, Conditions};
use oversleep_recording::table::{CELL_COLUMNS, ColumnKind, SAMPLE_COLUMNS, cell_values, load};
use oversleep_recording::{Meta, Note, Sample};
use oversleep_sys::units::Nanos;
use std::collections::HashMap;
use std::io::{self, Write};
use std::rc::Rc;

/// Rows in a group: about a third of the 10 MiB that engines read at once.
const GROUP: usize = 1 << 17;

/// A file with the sleeps of any number of recordings.
pub struct SleepsTable<W: Write + Send> {
    /// The output, until the first rows are written.
    out: Option<W>,
    table: Option<Table<W>>,
    partitions: Vec<Partition>,
    facts: usize,
    rows: Vec<(Rc<Shared>, Sample)>,
}

/// Values that the rows of a cell's thread share.
struct Shared {
    facts: Vec<Value>,
    method: Value,
    load: Value,
    clock: Value,
    cell: Vec<Value>,
}

impl<W: Write + Send> SleepsTable<W> {
    /// Begins a file in a dataset split by `partitions`.
    pub fn new(partitions: &[Partition], out: W) -> Self {
        let facts = Facts::columns(partitions).len();
        Self { out: Some(out), table: None, partitions: partitions.to_vec(), facts, rows: Vec::new() }
    }

    /// Begins a recording; [`SleepWriter::end`] returns the table.
    pub fn recording(self, meta: &Meta, facts: &Facts) -> OneBatchBehind<SleepWriter<W>> {
        let facts = facts.values(&self.partitions);
        let cells = planned(&meta.plan);
        let (obtained, shared) = (FirstObtained::default(), HashMap::new());
        OneBatchBehind::over(SleepWriter { file: self, count: 0, facts, cells, obtained, shared })
    }

    /// Writes the rows that are left and the end of the file, and returns the output, flushed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_group()?;
        let table = match self.out.take() {
            Some(out) => Some(self.begin(out)?),
            None => self.table.take(),
        };
        table.ok_or_else(|| io::Error::other("an earlier part could not be written"))?.finish()
    }

    fn begin(&self, out: W) -> io::Result<Table<W>> {
        let own = SAMPLE_COLUMNS.iter().chain(&CELL_COLUMNS).map(|(name, kind)| column(name, *kind));
        let columns = Facts::columns(&self.partitions).into_iter().chain(own).collect();
        Table::new("oversleep_sleeps", columns, out)
    }

    fn write_group(&mut self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        if let Some(out) = self.out.take() {
            self.table = Some(self.begin(out)?);
        }
        let Some(table) = &mut self.table else { return Ok(()) };
        let (rows, facts) = (&self.rows, self.facts);
        table.write(rows.len(), |row, column| {
            let (shared, sample) = &rows[row];
            match column.checked_sub(facts) {
                None => shared.facts[column].clone(),
                Some(own) if own < SAMPLE_COLUMNS.len() => sample_value(own, shared, sample),
                Some(own) => shared.cell[own - SAMPLE_COLUMNS.len()].clone(),
            }
        })?;
        self.rows.clear();
        Ok(())
    }
}

fn column(name: &'static str, kind: ColumnKind) -> Column {
    let kind = match (name, kind) {
        ("sequence" | "deadline_ns" | "start_ns" | "end_ns" | "oversleep_ns", _) => Kind::Running,
        (_, ColumnKind::Number) => Kind::Number,
        (_, ColumnKind::Text) => Kind::Text,
        (_, ColumnKind::Truth) => Kind::Truth,
    };
    (name, kind)
}

/// Returns a sample's value in one of [`SAMPLE_COLUMNS`].
fn sample_value(column: usize, shared: &Shared, sample: &Sample) -> Value {
    let nanos = |nanos: Nanos| Value::Number(nanos.get());
    match SAMPLE_COLUMNS[column].0 {
        "method" => shared.method.clone(),
        "thread" => Value::Number(sample.thread.into()),
        "cpu" => Value::number(sample.cpu().map(Into::into)),
        "load" => shared.load.clone(),
        "clock" => shared.clock.clone(),
        "sequence" => Value::number(i64::try_from(sample.sequence).ok()),
        "requested_ns" => nanos(sample.requested),
        "deadline_ns" => sample.deadline.map_or(Value::Null, nanos),
        "start_ns" => nanos(sample.start),
        "end_ns" => nanos(sample.end),
        "oversleep_ns" => nanos(sample.oversleep()),
        "flags" => Value::Number(sample.flags.0.into()),
        other => unreachable!("{other} is not a column of a sample"),
    }
}

impl Shared {
    fn new(facts: &[Value], planned: &PlannedCell, obtained: Option<&Conditions>) -> Self {
        let PlannedCell { cell, periods } = planned;
        let values = cell_values(cell, *periods, obtained);
        let typed = CELL_COLUMNS.iter().zip(&values).map(|((_, kind), value)| match kind {
            ColumnKind::Number => Value::number(value.parse().ok()),
            ColumnKind::Text => Value::text(value),
            ColumnKind::Truth => value.parse().map_or(Value::Null, Value::Truth),
        });
        Self {
            facts: facts.to_vec(),
            method: Value::text(&cell.method),
            load: Value::Number(load(cell, obtained).into()),
            clock: Value::text(cell.clock.name()),
            cell: typed.collect(),
        }
    }
}

/// Writes the sleeps of one recording into the table.
pub struct SleepWriter<W: Write + Send> {
    file: SleepsTable<W>,
    count: u64,
    facts: Vec<Value>,
    cells: Vec<PlannedCell>,
    obtained: FirstObtained,
    shared: HashMap<(u32, u16), Rc<Shared>>,
}

impl<W: Write + Send> SleepWriter<W> {
    /// Returns the table, and the number of sleeps that this recording added.
    pub fn end(self) -> (SleepsTable<W>, u64) {
        (self.file, self.count)
    }
}

impl<W: Write + Send> SampleWriter for SleepWriter<W> {
    fn cell(&mut self, cell: &Cell) {
        self.cells.push(PlannedCell { cell: cell.clone(), periods: None });
    }

    fn learn(&mut self, note: &Note) {
        self.obtained.learn(note);
    }

    fn sample(&mut self, sample: &Sample) -> io::Result<()> {
        let Some(cell) = self.cells.get(sample.cell as usize) else { return Ok(()) };
        let (facts, obtained) = (&self.facts, &self.obtained);
        let shared = self.shared.entry((sample.cell, sample.thread));
        let shared = shared.or_insert_with(|| Rc::new(Shared::new(facts, cell, obtained.of(sample))));
        self.count += 1;
        self.file.rows.push((Rc::clone(shared), *sample));
        if self.file.rows.len() < GROUP { Ok(()) } else { self.file.write_group() }
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
