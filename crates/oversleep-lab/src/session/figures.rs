//! The figures of a recording that is read.

use super::results::Results;
use crate::analysis::stalls;
use crate::figures::Summariser;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Sample, Sink, Wakes};

/// Keeps what the figures of a recording need, as its samples pass.
pub struct FiguresOnly {
    meta: Meta,
    summary: Summariser,
    stalls: Option<stalls::Stalls>,
}

impl FiguresOnly {
    /// Begins with a recording that begins like this.
    pub fn new(meta: &Meta) -> Self {
        let stalls = meta.plan.is_stalls().then(|| stalls::Stalls::new(meta));
        Self { meta: meta.clone(), summary: Summariser::new(meta), stalls }
    }

    /// Returns the figures.
    pub fn finish(self) -> Results {
        Results::new(self.meta, self.summary, self.stalls)
    }
}

impl Sink for FiguresOnly {
    fn samples(&mut self, batch: &[Sample]) {
        self.summary.samples(batch);
        if let Some(stalls) = &mut self.stalls {
            stalls.samples(batch);
        }
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
        if let Some(stalls) = &mut self.stalls {
            stalls.note(note);
        }
    }
}
