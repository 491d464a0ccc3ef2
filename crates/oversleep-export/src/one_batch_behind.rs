//! Writing of samples delayed until the next note, because a note holds facts about the batch before it.

use super::format::Exporter;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Note, Sample, Sink};
use std::io;

/// Writes a recording sample by sample.
pub trait SampleWriter {
    /// Takes a cell that was added after the plan was made.
    fn cell(&mut self, cell: &Cell);
    /// Takes in what a note says about the samples before it. Those samples are written next.
    fn learn(&mut self, note: &Note);
    /// Writes a sample.
    fn sample(&mut self, sample: &Sample) -> io::Result<()>;
    /// Writes what else the note holds, after the samples before it.
    fn note(&mut self, _note: &Note) -> io::Result<()> {
        Ok(())
    }
    /// Writes the rest and flushes the output.
    fn finish(&mut self) -> io::Result<()>;
}

/// Passes samples to their writer one batch late, and stops writing at the first failure.
pub struct OneBatchBehind<T> {
    writer: T,
    pending: Vec<Sample>,
    failure: Option<io::Error>,
}

impl<T: SampleWriter> OneBatchBehind<T> {
    /// Wraps a writer.
    pub(super) fn over(writer: T) -> Self {
        Self { writer, pending: Vec::new(), failure: None }
    }

    /// Writes the last batch and finishes the output.
    ///
    /// # Errors
    /// The first failure of writing since the beginning.
    pub fn finish(mut self) -> io::Result<()> {
        self.write_pending();
        self.failure.take().map_or(Ok(()), Err)?;
        self.writer.finish()
    }

    fn try_to(&mut self, write: impl FnOnce(&mut T) -> io::Result<()>) {
        if self.failure.is_none() {
            self.failure = write(&mut self.writer).err();
        }
    }

    fn write_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.try_to(|writer| pending.iter().try_for_each(|sample| writer.sample(sample)));
    }
}

impl<T: SampleWriter> Sink for OneBatchBehind<T> {
    fn samples(&mut self, batch: &[Sample]) {
        self.write_pending();
        self.pending.extend_from_slice(batch);
    }

    fn cell(&mut self, cell: &Cell) {
        self.writer.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.writer.learn(note);
        self.write_pending();
        self.try_to(|writer| writer.note(note));
    }

    fn flush(&mut self) {
        self.write_pending();
    }
}

impl<T: SampleWriter> Exporter for OneBatchBehind<T> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        Self::finish(*self)
    }
}
