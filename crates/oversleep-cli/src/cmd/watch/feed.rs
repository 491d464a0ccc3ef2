//! The channel from the measurement's coordinator to the thread that draws.

use oversleep_lab::report::live::Live;
use oversleep_lab::session::enter_note;
use oversleep_recording::plan::Cell;
use oversleep_recording::{Note, Sample, Sink};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A message to the thread that draws.
pub(super) enum FeedMessage {
    Samples(Vec<Sample>),
    Cell(Cell),
    Note(Box<Note>),
    /// Nothing more will come.
    Over,
}

impl FeedMessage {
    /// Adds the message to `live`; returns whether it was the last.
    pub(super) fn give(self, live: &mut Live) -> bool {
        match self {
            Self::Samples(batch) => live.samples(&batch),
            Self::Cell(cell) => Sink::cell(live, &cell),
            Self::Note(note) => enter_note(live, &note),
            Self::Over => return true,
        }
        false
    }
}

/// The sending end: copies samples and does not wait. The receiver may be gone already.
pub(super) struct Feed(Sender<FeedMessage>);

/// Returns both ends of a new channel.
pub(super) fn feed() -> (Feed, Receiver<FeedMessage>) {
    let (sender, receiver) = channel();
    (Feed(sender), receiver)
}

impl Feed {
    /// Says that nothing more will come.
    pub(super) fn end(&self) {
        let _ = self.0.send(FeedMessage::Over);
    }
}

impl Sink for Feed {
    fn samples(&mut self, batch: &[Sample]) {
        if !batch.is_empty() {
            let _ = self.0.send(FeedMessage::Samples(batch.to_vec()));
        }
    }

    fn cell(&mut self, cell: &Cell) {
        let _ = self.0.send(FeedMessage::Cell(cell.clone()));
    }

    fn note(&mut self, note: &Note) {
        let _ = self.0.send(FeedMessage::Note(Box::new(note.clone())));
    }
}
