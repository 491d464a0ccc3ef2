//! Everything that a run's samples and notes go to.

use super::keep::Kept;
use crate::analysis::{CellSummary, Summariser};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Recording, Sample, Sink, Wakes};

/// The file, the figures, the samples in memory where they are wanted, and whoever else listens.
pub(super) struct Sinks<'a> {
    kept: Kept,
    summary: Summariser,
    recording: Option<Recording>,
    subscriber: Option<&'a mut dyn Sink>,
}

/// What the sinks hold at the end of a run.
pub(super) struct Collected {
    pub(super) kept: Kept,
    pub(super) note: Note,
    pub(super) cells: Vec<CellSummary>,
    pub(super) recording: Option<Recording>,
}

impl<'a> Sinks<'a> {
    pub(super) fn new(meta: &Meta, kept: Kept, in_memory: bool, subscriber: Option<&'a mut dyn Sink>) -> Self {
        let recording = in_memory.then(|| Recording::new(meta.clone()));
        Self { kept, summary: Summariser::new(meta), recording, subscriber }
    }

    pub(super) fn finish(self) -> Collected {
        let note = self.summary.notes().clone();
        Collected { kept: self.kept, note, cells: self.summary.finish(), recording: self.recording }
    }

    /// Calls `give` for every sink that takes samples one by one.
    fn each(&mut self, mut give: impl FnMut(&mut dyn Sink)) {
        give(&mut self.kept);
        give(&mut self.summary);
        if let Some(recording) = &mut self.recording {
            give(recording);
        }
        if let Some(subscriber) = &mut self.subscriber {
            give(*subscriber);
        }
    }
}

impl Sink for Sinks<'_> {
    fn samples(&mut self, batch: &[Sample]) {
        self.each(|sink| sink.samples(batch));
    }

    fn wakes(&mut self, wakes: &Wakes) {
        if self.recording.is_none() && self.subscriber.is_none() {
            self.kept.wakes(wakes);
            self.summary.wakes(wakes);
        } else {
            self.samples(&wakes.samples().collect::<Vec<_>>());
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.each(|sink| sink.cell(cell));
    }

    fn note(&mut self, note: &Note) {
        self.each(|sink| sink.note(note));
    }

    fn flush(&mut self) {
        self.each(|sink| sink.flush());
    }
}
