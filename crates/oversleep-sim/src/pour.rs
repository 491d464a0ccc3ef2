//! Where a simulated program's sleeps go: into a sink, or only into statistics.

use super::tally::Tally;
use oversleep_recording::{Note, Sample, Sink};

/// Takes sleeps as they happen.
pub(crate) trait Pour {
    /// One sleep, and how often the kernel slept on within it.
    fn slept(&mut self, sample: Sample, resleeps: u32);
    /// Something learned.
    fn note(&mut self, note: &Note);
    /// Whether notes are wanted at all.
    fn wants_notes(&self) -> bool;
}

/// Samples on the way to a sink, some thousand at a time.
pub(crate) struct Batches<'a> {
    sink: &'a mut dyn Sink,
    batch: Vec<Sample>,
}

impl<'a> Batches<'a> {
    const SIZE: usize = 4_096;

    pub(crate) fn new(sink: &'a mut dyn Sink) -> Self {
        Self { sink, batch: Vec::with_capacity(Self::SIZE) }
    }

    /// Hands over what is left and lets the sink make it durable.
    pub(crate) fn end(mut self) {
        self.flush();
        self.sink.flush();
    }

    fn flush(&mut self) {
        if !self.batch.is_empty() {
            self.sink.samples(&self.batch);
            self.batch.clear();
        }
    }
}

impl Pour for Batches<'_> {
    fn slept(&mut self, sample: Sample, _: u32) {
        self.batch.push(sample);
        if self.batch.len() >= Self::SIZE {
            self.flush();
        }
    }

    fn note(&mut self, note: &Note) {
        self.flush();
        self.sink.note(note);
    }

    fn wants_notes(&self) -> bool {
        true
    }
}

/// Statistics, one per cell.
pub(crate) struct Tallies(pub(crate) Vec<Tally>);

impl Pour for Tallies {
    fn slept(&mut self, sample: Sample, resleeps: u32) {
        if let Some(tally) = self.0.get_mut(sample.cell as usize) {
            tally.add(sample.oversleep(), resleeps);
        }
    }

    fn note(&mut self, _: &Note) {}

    fn wants_notes(&self) -> bool {
        false
    }
}
