//! Samples as rows of a table, written as they come, in whatever form rows have.

use oversleep_recording::plan::{Cell, Conditions, Plan};
use oversleep_recording::{Note, Sample, Sink};
use std::collections::HashMap;
use std::io::{self, Write};

/// How a row is written.
pub trait Form {
    /// What stands before the first row.
    fn head(&self) -> String;
    /// What is the same in all rows of a cell's thread.
    fn shared(&self, cell: &Cell, obtained: Option<&Conditions>) -> SharedText;
    /// Writes one row.
    fn row(&self, shared: &SharedText, sample: &Sample, out: &mut dyn Write) -> io::Result<()>;
}

/// Text that the rows of a cell's thread have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedText {
    /// What stands before the thread's number.
    pub begin: String,
    /// What stands between the processor and the sample's number.
    pub middle: String,
    /// What stands after the flags.
    pub end: String,
}

/// Writes samples as rows.
pub struct Rows<W: Write, F: Form> {
    out: W,
    form: F,
    cells: Vec<Cell>,
    /// What was first read back of the conditions, by cell and thread.
    obtained: HashMap<(u32, u16), Conditions>,
    shared: HashMap<(u32, u16), SharedText>,
    /// The last batch: what was read back of its conditions stands in the note after it.
    pending: Vec<Sample>,
    failure: Option<io::Error>,
}

impl<W: Write, F: Form> Rows<W, F> {
    /// Begins a plan's samples.
    pub fn new(form: F, plan: &Plan, out: W) -> Self {
        let mut rows = Self {
            out,
            form,
            cells: plan.cells.clone(),
            obtained: HashMap::new(),
            shared: HashMap::new(),
            pending: Vec::new(),
            failure: None,
        };
        rows.failure = rows.out.write_all(rows.form.head().as_bytes()).err();
        rows
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// The first failure of writing since the beginning.
    pub fn finish(mut self) -> io::Result<()> {
        self.write_pending();
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.out.flush(),
        }
    }

    fn write_pending(&mut self) {
        for sample in std::mem::take(&mut self.pending) {
            if self.failure.is_some() {
                return;
            }
            let Some(cell) = self.cells.get(sample.cell as usize) else { continue };
            let of = (sample.cell, sample.thread);
            let (form, obtained) = (&self.form, &self.obtained);
            let shared = self.shared.entry(of).or_insert_with(|| form.shared(cell, obtained.get(&of)));
            self.failure = self.form.row(shared, &sample, &mut self.out).err();
        }
    }
}

impl<W: Write, F: Form> Sink for Rows<W, F> {
    fn samples(&mut self, batch: &[Sample]) {
        self.write_pending();
        self.pending.extend_from_slice(batch);
    }

    fn cell(&mut self, cell: &Cell) {
        self.cells.push(cell.clone());
    }

    fn note(&mut self, note: &Note) {
        for obtained in &note.obtained {
            self.obtained.entry((obtained.cell, obtained.thread)).or_insert_with(|| obtained.conditions.clone());
        }
        self.write_pending();
    }

    fn flush(&mut self) {
        self.write_pending();
    }
}
