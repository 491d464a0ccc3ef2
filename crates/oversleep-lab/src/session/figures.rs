//! Figures of a recording that is read from a file.

use super::results::Results;
use super::subjects::Subjects;
use oversleep_analysis::attribution::trace_documents;
use oversleep_figures::Summariser;
use oversleep_recording::plan::{Cell, Kind};
use oversleep_recording::{Meta, Note, Recording, Sample, Sink, Wakes};

/// A sink that keeps what the figures of a recording need.
pub struct FiguresOnly {
    meta: Meta,
    summary: Summariser,
    subjects: Subjects,
    /// All of a recording of traced sleeps, whose breakdown is its main result.
    traced: Option<Recording>,
}

impl FiguresOnly {
    /// Begins to read a recording with this head.
    pub fn new(meta: &Meta) -> Self {
        let traced = (meta.plan.kind == Kind::Trace).then(|| Recording::new(meta.clone()));
        Self { meta: meta.clone(), summary: Summariser::new(meta), subjects: Subjects::new(meta), traced }
    }

    /// Returns the results.
    pub fn finish(self) -> Results {
        let traces = self.traced.map_or_else(Vec::new, |recording| trace_documents(&recording, false));
        Results { traces, ..Results::new(self.meta, self.summary, self.subjects) }
    }
}

impl Sink for FiguresOnly {
    fn samples(&mut self, batch: &[Sample]) {
        self.summary.samples(batch);
        self.subjects.samples(batch);
        self.traced.iter_mut().for_each(|traced| traced.samples(batch));
    }

    fn wakes(&mut self, wakes: &Wakes) {
        self.summary.wakes(wakes);
    }

    fn cell(&mut self, cell: &Cell) {
        self.meta.plan.cells.push(cell.clone());
        self.summary.cell(cell);
        self.traced.iter_mut().for_each(|traced| traced.cell(cell));
    }

    fn note(&mut self, note: &Note) {
        self.summary.note(note);
        self.subjects.note(note);
        self.traced.iter_mut().for_each(|traced| traced.note(note));
    }
}
