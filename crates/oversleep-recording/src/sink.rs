//! Receivers of samples and notes.

use super::{Meta, Note, Sample, Wakes};
use crate::plan::Cell;
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Receives what a source produces: batches of samples and notes, in the order in which they became known.
pub trait Sink {
    /// Takes samples. Those of one cell and thread come in the order of their numbers.
    fn samples(&mut self, batch: &[Sample]);
    /// Takes a schedule's wake-ups. They are samples in a shorter form; sinks of long runs take them as they
    /// are, for the others they are converted to samples.
    fn wakes(&mut self, wakes: &Wakes) {
        self.samples(&wakes.samples().collect::<Vec<_>>());
    }
    /// Takes a cell that the plan did not contain, before its samples: of a table of another program, whose requests are
    /// known only once it was read to its end, or of a program whose waits are recorded from outside. Its ID follows that
    /// of the last cell.
    fn cell(&mut self, _cell: &Cell) {}
    /// Takes a note.
    fn note(&mut self, note: &Note);
    /// Makes everything it has taken durable, if it stores anything. Called about once a second.
    fn flush(&mut self) {}
}

/// A whole recording in memory. Sinks that keep less are used where a run would not fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Head of the recording.
    pub meta: Meta,
    /// Every sample.
    pub samples: Vec<Sample>,
    /// All notes together.
    pub note: Note,
}

impl Recording {
    /// Returns a recording without samples.
    pub fn new(meta: Meta) -> Self {
        Self { meta, samples: Vec::new(), note: Note::default() }
    }

    /// Returns the samples of one cell.
    pub fn of_cell(&self, cell: u32) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(move |sample| sample.cell == cell)
    }
}

impl Recording {
    /// Returns the part that shows how the machine sleeps: without traced cells, and without those that exist only for
    /// comparison with them. Such cells come after the others in every plan, so that IDs stay the same.
    pub fn untraced(&self) -> Cow<'_, Self> {
        if self.meta.plan.cells.iter().all(|cell| cell.conditions.traced.is_none()) {
            return Cow::Borrowed(self);
        }
        let meta = Meta { plan: self.meta.plan.untraced(), ..self.meta.clone() };
        let ids: HashSet<u32> = meta.plan.cells.iter().map(|cell| cell.id).collect();
        let samples = self.samples.iter().filter(|sample| ids.contains(&sample.cell)).copied().collect();
        let note = Note { tracing: Vec::new(), traced_sleeps: Vec::new(), ..self.note.clone() };
        Cow::Owned(Self { meta, samples, note })
    }
}

impl Sink for Recording {
    fn samples(&mut self, batch: &[Sample]) {
        self.samples.extend_from_slice(batch);
    }

    fn cell(&mut self, cell: &Cell) {
        self.meta.plan.cells.push(cell.clone());
    }

    fn note(&mut self, note: &Note) {
        self.note.absorb(note.clone());
    }
}

/// Passes everything to both sinks.
impl<A: Sink, B: Sink> Sink for (A, B) {
    fn samples(&mut self, batch: &[Sample]) {
        self.0.samples(batch);
        self.1.samples(batch);
    }

    fn wakes(&mut self, wakes: &Wakes) {
        self.0.wakes(wakes);
        self.1.wakes(wakes);
    }

    fn cell(&mut self, cell: &Cell) {
        self.0.cell(cell);
        self.1.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.0.note(note);
        self.1.note(note);
    }

    fn flush(&mut self) {
        self.0.flush();
        self.1.flush();
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn samples(&mut self, batch: &[Sample]) {
        (**self).samples(batch);
    }

    fn wakes(&mut self, wakes: &Wakes) {
        (**self).wakes(wakes);
    }

    fn cell(&mut self, cell: &Cell) {
        (**self).cell(cell);
    }

    fn note(&mut self, note: &Note) {
        (**self).note(note);
    }

    fn flush(&mut self) {
        (**self).flush();
    }
}

/// Number of samples by which a recording is known again, if it says when it began. Of others, all samples count: a table
/// may have equal times at its beginning.
const KNOWN_BY: u64 = 64;

/// Takes a recording and returns a checksum that a copy has too, whatever its name.
#[derive(Debug, Clone)]
pub struct Content {
    hasher: DefaultHasher,
    hashed: u64,
    most: u64,
    counts: Vec<u64>,
}

impl Content {
    /// Begins a recording.
    pub fn new(meta: &Meta) -> Self {
        let mut hasher = DefaultHasher::new();
        (&meta.started, meta.plan.seed).hash(&mut hasher);
        let most = if meta.started.is_some() { KNOWN_BY } else { u64::MAX };
        Self { hasher, hashed: 0, most, counts: Vec::new() }
    }

    /// Returns the checksum; `None` if there were no samples and no counts.
    pub fn checksum(mut self) -> Option<u64> {
        let is_empty = self.hashed == 0 && self.counts.is_empty();
        self.counts.hash(&mut self.hasher);
        (!is_empty).then(|| self.hasher.finish())
    }
}

impl Sink for Content {
    fn samples(&mut self, batch: &[Sample]) {
        for sample in batch {
            if self.hashed == self.most {
                return;
            }
            (sample.cell, sample.thread, sample.requested, sample.start, sample.end).hash(&mut self.hasher);
            self.hashed += 1;
        }
    }

    fn wakes(&mut self, wakes: &Wakes) {
        if self.hashed < self.most {
            self.samples(&wakes.samples().collect::<Vec<_>>());
        }
    }

    fn note(&mut self, note: &Note) {
        for counts in &note.distributions {
            let mut hasher = DefaultHasher::new();
            (counts.cell, counts.count, &counts.buckets, counts.min, counts.max).hash(&mut hasher);
            self.counts.push(hasher.finish());
        }
    }
}
