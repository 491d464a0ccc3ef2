//! Samples written as rows of a table as they come. The [`RowFormat`] says how a row is written.

use super::one_batch_behind::{OneBatchBehind, SampleWriter};
use oversleep_recording::plan::{Cell, Conditions, Plan};
use oversleep_recording::{Note, Sample};
use std::collections::HashMap;
use std::io::{self, Write};

/// The format of a table: how its head and its rows are written.
pub trait RowFormat {
    /// Returns the text before the first row.
    fn head(&self) -> String;
    /// Returns the text that all rows of a cell's thread share. `periods` is the length of a schedule, `obtained` has the
    /// conditions that were read back.
    fn shared(&self, cell: &Cell, periods: Option<u64>, obtained: Option<&Conditions>) -> SharedText;
    /// Writes one row.
    fn row(&self, shared: &SharedText, sample: &Sample, out: &mut dyn Write) -> io::Result<()>;
}

/// Text that the rows of a cell's thread have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedText {
    /// Text before the thread's number.
    pub begin: String,
    /// Text between the processor and the sample's number.
    pub middle: String,
    /// Text after the flags.
    pub end: String,
}

/// Writes samples as rows.
pub type Rows<W, F> = OneBatchBehind<RowWriter<W, F>>;

/// Writes one row per sample.
pub struct RowWriter<W: Write, F: RowFormat> {
    out: W,
    format: F,
    has_head: bool,
    cells: Vec<PlannedCell>,
    obtained: FirstObtained,
    shared: HashMap<(u32, u16), SharedText>,
}

impl<W: Write, F: RowFormat> Rows<W, F> {
    /// Begins to write the samples of a plan.
    pub fn new(format: F, plan: &Plan, out: W) -> Self {
        Self::over(RowWriter {
            out,
            format,
            has_head: false,
            cells: planned(plan),
            obtained: FirstObtained::default(),
            shared: HashMap::new(),
        })
    }
}

impl<W: Write, F: RowFormat> RowWriter<W, F> {
    fn head(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.has_head, true) {
            return Ok(());
        }
        self.out.write_all(self.format.head().as_bytes())
    }
}

impl<W: Write, F: RowFormat> SampleWriter for RowWriter<W, F> {
    fn cell(&mut self, cell: &Cell) {
        self.cells.push(PlannedCell { cell: cell.clone(), periods: None });
    }

    fn learn(&mut self, note: &Note) {
        self.obtained.learn(note);
    }

    fn sample(&mut self, sample: &Sample) -> io::Result<()> {
        self.head()?;
        let Some(PlannedCell { cell, periods }) = self.cells.get(sample.cell as usize) else { return Ok(()) };
        let key = (sample.cell, sample.thread);
        let (format, obtained) = (&self.format, &self.obtained);
        let shared =
            self.shared.entry(key).or_insert_with(|| format.shared(cell, *periods, obtained.for_sample(sample)));
        self.format.row(shared, sample, &mut self.out)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.head()?;
        self.out.flush()
    }
}

/// A cell, and the number of its schedule's periods.
#[derive(Debug, Clone)]
pub(super) struct PlannedCell {
    pub(super) cell: Cell,
    /// Number of periods planned for each thread; `None` if the cell is not a schedule, or came after the plan.
    pub(super) periods: Option<u64>,
}

/// Returns the cells of a plan.
pub(super) fn planned(plan: &Plan) -> Vec<PlannedCell> {
    plan.cells.iter().map(|cell| PlannedCell { cell: cell.clone(), periods: plan.periods(cell) }).collect()
}

/// Conditions first read back, by cell and thread.
#[derive(Debug, Default)]
pub(super) struct FirstObtained(HashMap<(u32, u16), Conditions>);

impl FirstObtained {
    /// Takes the conditions that a note holds, for cells and threads that have none so far.
    pub(super) fn learn(&mut self, note: &Note) {
        for obtained in &note.obtained {
            self.0.entry((obtained.cell, obtained.thread)).or_insert_with(|| obtained.conditions.clone());
        }
    }

    /// Returns the conditions first read back for a sample's cell and thread.
    pub(super) fn for_sample(&self, sample: &Sample) -> Option<&Conditions> {
        self.0.get(&(sample.cell, sample.thread))
    }
}
