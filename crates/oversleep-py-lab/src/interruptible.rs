//! A recording that checks for Ctrl-C while it is filled.

use crate::signals::check_signals;
use oversleep::{Moment, Nanos, now};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Recording, Sample, Sink};

/// A sink that receives some thousand samples at a time and checks for signals in between. The check unwinds if a
/// signal handler raises, so it must be filled within `signals::detached`, which catches that.
pub(super) struct InterruptibleRecording {
    pub(super) inner: Recording,
    looked: Moment,
}

/// Time between two checks. A check takes the interpreter's lock, for which it may wait 5 ms if other threads run.
const CHECK_EVERY: Nanos = Nanos::from_millis(100);

impl InterruptibleRecording {
    pub(super) fn new(meta: Meta) -> Self {
        Self { inner: Recording::new(meta), looked: now() }
    }

    fn listen(&mut self) {
        if now().saturating_since(self.looked) >= CHECK_EVERY {
            check_signals();
            self.looked = now();
        }
    }
}

impl Sink for InterruptibleRecording {
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
