//! The figures of a recording that is read.

use super::results::Results;
use super::subjects::Subjects;
use crate::figures::Summariser;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes};

/// Keeps what the figures of a recording need, as its samples pass.
pub struct FiguresOnly {
    meta: Meta,
    summary: Summariser,
    subjects: Subjects,
}

impl FiguresOnly {
    /// Begins with a recording that begins like this.
    pub fn new(meta: &Meta) -> Self {
        Self { meta: meta.clone(), summary: Summariser::new(meta), subjects: Subjects::new(meta) }
    }

    /// Returns the figures.
    pub fn finish(self) -> Results {
        Results::new(self.meta, self.summary, self.subjects)
    }
}

impl Sink for FiguresOnly {
    fn samples(&mut self, batch: &[Sample]) {
        self.summary.samples(batch);
        self.subjects.samples(batch);
    }

    fn wakes(&mut self, wakes: &Wakes) {
        self.summary.wakes(wakes);
    }

    fn cell(&mut self, cell: &Cell) {
        self.meta.plan.cells.push(cell.clone());
        self.summary.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.summary.note(note);
        self.subjects.note(note);
    }
}
