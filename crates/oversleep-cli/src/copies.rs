//! Recordings of which each counts once.

use crate::failure::Failure;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Content, Meta, Note, Sample, Sink, Wakes};
use std::collections::HashMap;

/// The recordings given so far, by what a copy is known by.
#[derive(Default)]
pub(crate) struct Copies(HashMap<u64, String>);

impl Copies {
    /// Returns those of several recordings; `None` if there is only one, so that nothing has to be known of it.
    pub(crate) fn among(recordings: usize) -> Option<Self> {
        (recordings > 1).then(Self::default)
    }

    /// Refuses a recording that was given before, under whatever name: it is one run, and would count as several.
    pub(crate) fn refuse(&mut self, name: &str, checksum: Option<u64>) -> Result<(), Failure> {
        let Some(checksum) = checksum else { return Ok(()) };
        match self.0.insert(checksum, name.to_owned()) {
            Some(first) if first == name => {
                Err(Failure::usage(format!("{first} is given twice; each recording counts once")))
            }
            Some(first) => {
                Err(Failure::usage(format!("{first} and {name} hold the same recording; each recording counts once")))
            }
            None => Ok(()),
        }
    }
}

/// A sink that passes a recording on and computes the checksum that its copies have too.
pub(crate) struct ChecksumSink<'a> {
    sink: &'a mut dyn Sink,
    content: Content,
}

impl<'a> ChecksumSink<'a> {
    /// Begins a recording that goes on to `sink`.
    pub(crate) fn of(meta: &Meta, sink: &'a mut dyn Sink) -> Self {
        Self { sink, content: Content::of(meta) }
    }

    /// Returns what a copy is known by, if there is something in the recording.
    pub(crate) fn checksum(self) -> Option<u64> {
        self.content.checksum()
    }
}

impl Sink for ChecksumSink<'_> {
    fn samples(&mut self, batch: &[Sample]) {
        self.content.samples(batch);
        self.sink.samples(batch);
    }

    fn wakes(&mut self, wakes: &Wakes) {
        self.content.wakes(wakes);
        self.sink.wakes(wakes);
    }

    fn cell(&mut self, cell: &Cell) {
        self.sink.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.content.note(note);
        self.sink.note(note);
    }

    fn flush(&mut self) {
        self.sink.flush();
    }
}
