//! Receivers of a simulated program's sleeps: a sink, or statistics only.

use super::tally::Tally;
use oversleep_recording::{Note, Sample, Sink};

/// Receives sleeps as they happen.
pub(crate) trait SleepSink {
    /// Takes one sleep, and the number of times that the kernel slept on within it.
    fn slept(&mut self, sample: Sample, resleeps: u32);
    /// Takes a note.
    fn note(&mut self, note: &Note);
    /// Returns whether notes are wanted at all.
    fn wants_notes(&self) -> bool;
}

/// Samples on the way to a sink, in batches of some thousands.
pub(crate) struct Batches<'a> {
    sink: &'a mut dyn Sink,
    batch: Vec<Sample>,
}

impl<'a> Batches<'a> {
    const SIZE: usize = 4_096;

    pub(crate) fn new(sink: &'a mut dyn Sink) -> Self {
        Self { sink, batch: Vec::with_capacity(Self::SIZE) }
    }

    /// Passes on the remaining samples and makes the sink flush.
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

impl SleepSink for Batches<'_> {
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

/// The statistics of all cells, one per cell.
pub(crate) struct Tallies(pub(crate) Vec<Tally>);

impl SleepSink for Tallies {
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
