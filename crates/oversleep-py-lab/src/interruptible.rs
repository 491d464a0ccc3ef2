//! A recording that checks for Ctrl-C while it is filled.

use oversleep_py_common::signals::check_signals;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Recording, Sample, Sink};
use std::time::{Duration, Instant};

/// A sink that receives some thousand samples at a time and checks for signals in between. The check unwinds if a
/// signal handler raises, so it must be filled within `signals::detached`, which catches that.
pub(crate) struct InterruptibleRecording {
    pub(crate) inner: Recording,
    looked: Instant,
}

/// Time between two checks. A check takes the interpreter's lock, for which it may wait 5 ms if other threads run.
const CHECK_EVERY: Duration = Duration::from_millis(100);

impl InterruptibleRecording {
    pub(crate) fn new(meta: Meta) -> Self {
        Self { inner: Recording::new(meta), looked: Instant::now() }
    }

    fn listen(&mut self) {
        if self.looked.elapsed() >= CHECK_EVERY {
            check_signals();
            self.looked = Instant::now();
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
