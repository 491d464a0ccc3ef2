//! A recording that hears Ctrl-C while it is filled.

use crate::attentive::look;
use oversleep::{Moment, Nanos, now};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Recording, Sample, Sink};

/// What is computed or read comes here some thousand samples at a time: a good place to look for signals, which throws
/// what their handlers raise. So it is filled within `attentive::detached`, which catches that.
pub(super) struct Heard {
    pub(super) inner: Recording,
    looked: Moment,
}

/// A look takes the interpreter's lock, for which other threads may make it wait 5 ms.
const LOOK_EVERY: Nanos = Nanos::from_millis(100);

impl Heard {
    pub(super) fn new(meta: Meta) -> Self {
        Self { inner: Recording::new(meta), looked: now() }
    }

    fn listen(&mut self) {
        if now().saturating_since(self.looked) >= LOOK_EVERY {
            look();
            self.looked = now();
        }
    }
}

impl Sink for Heard {
    fn samples(&mut self, batch: &[Sample]) {
        self.inner.samples(batch);
        self.listen();
    }

    fn cell(&mut self, cell: &Cell) {
        self.inner.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.inner.note(note);
        self.listen();
    }
}
