//! Figures of a recording that is read from a file.

use super::results::Results;
use super::subjects::Subjects;
use oversleep_figures::Summariser;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes};

/// A sink that keeps what the figures of a recording need.
pub struct FiguresOnly {
    meta: Meta,
    summary: Summariser,
    subjects: Subjects,
}

impl FiguresOnly {
    /// Begins to read a recording with this head.
    pub fn new(meta: &Meta) -> Self {
        Self { meta: meta.clone(), summary: Summariser::new(meta), subjects: Subjects::new(meta) }
    }

    /// Returns the results.
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
