//! Where samples go.

use super::{Meta, Note, Sample, Wakes};
use crate::plan::Cell;
use std::borrow::Cow;
use std::collections::HashSet;

/// Takes what a source produces: batches of samples and notes, in the order they became known.
pub trait Sink {
    /// Takes samples. Those of one cell and thread come in order of sequence.
    fn samples(&mut self, batch: &[Sample]);
    /// Takes a schedule's wake-ups. They are samples in a shorter form; sinks on a long run's way take them as they
    /// are, for the others they are written out.
    fn wakes(&mut self, wakes: &Wakes) {
        self.samples(&wakes.samples().collect::<Vec<_>>());
    }
    /// Takes a cell that the plan did not have. Only tables of other programs have such: what they asked for is known
    /// when they are read to their end. Its number follows the last one's.
    fn cell(&mut self, _cell: &Cell) {}
    /// Takes a note.
    fn note(&mut self, note: &Note);
    /// Makes what it has taken durable, if it keeps anything. Called about once a second.
    fn flush(&mut self) {}
}

/// A whole recording in memory. Where a run would not fit, sinks that keep less are used instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// What was known beforehand.
    pub meta: Meta,
    /// Every sample.
    pub samples: Vec<Sample>,
    /// Everything learned on the way.
    pub note: Note,
}

impl Recording {
    /// Returns a recording without samples yet.
    pub fn new(meta: Meta) -> Self {
        Self { meta, samples: Vec::new(), note: Note::default() }
    }

    /// Returns the samples of one cell.
    pub fn of_cell(&self, cell: u32) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(move |sample| sample.cell == cell)
    }
}

impl Recording {
    /// Returns the part that says how the machine sleeps: without cells that were traced, or slept only beside traced
    /// ones. Such cells stand behind the others in every plan, so that numbers stay.
    pub fn untraced(&self) -> Cow<'_, Self> {
        if self.meta.plan.cells.iter().all(|cell| cell.conditions.traced.is_none()) {
            return Cow::Borrowed(self);
        }
        let meta = Meta { plan: self.meta.plan.untraced(), ..self.meta.clone() };
        let kept: HashSet<u32> = meta.plan.cells.iter().map(|cell| cell.id).collect();
        let samples = self.samples.iter().filter(|sample| kept.contains(&sample.cell)).copied().collect();
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

/// Both sinks get everything.
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
