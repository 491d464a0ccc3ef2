//! The measurement that `watch` shows while it runs.

use super::WatchArgs;
use super::screen::SampleSource;
use crate::failure::Failure;
use crate::running;
use crate::say::say;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::report::live::Live;
use oversleep_lab::session::{MeasureRequest, Results, RunError, Runner, describe, enter_note, plan};
use oversleep_recording::plan::Cell;
use oversleep_recording::{Meta, Note, Sample, Sink};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// The thread that measures, and the notices that it wrote meanwhile.
pub(super) struct Measuring {
    thread: JoinHandle<Result<Results, RunError>>,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Measuring {
    /// Starts a measurement; returns its thread and the source of its samples.
    pub(super) fn start(
        args: &WatchArgs,
        request: &MeasureRequest,
        stop: Stop,
    ) -> Result<(Self, MeasurementSource), Failure> {
        let plan = plan(request)?;
        let meta = describe(plan.clone(), running::TOOL);
        let (mut into, messages) = feed();
        let (keep, late) = (args.keep.place()?, args.late.request(args.late_tier.tier));
        let (time_limit, lines) = (request.duration, Arc::new(Mutex::new(Vec::new())));
        let (ends, notices) = (stop.clone(), Arc::clone(&lines));
        let measure = move || {
            let notice = |line: &str| notices.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
            let run = Runner::new(running::TOOL, &notice);
            let run = Runner { keep, late, time_limit, stop: ends, subscriber: Some(&mut into), ..run };
            let results = run.measure(plan, &mut ());
            into.end();
            results
        };
        let thread = Builder::new()
            .name("measuring".to_owned())
            .spawn(measure)
            .map_err(|error| Failure::trouble(format!("cannot start a thread to measure in: {error}")))?;
        Ok((Self { thread, lines }, MeasurementSource { meta, messages, stop, over: false }))
    }

    /// Waits for the results, and prints the notices that were held back while the screen was drawn.
    pub(super) fn finish(self) -> Result<Results, Failure> {
        let results = self.thread.join().map_err(|_| Failure::trouble("the measuring thread ended unexpectedly"))?;
        for line in self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            say!("{line}");
        }
        Ok(results?)
    }
}

/// The samples and notes of a running measurement, as they come.
pub(super) struct MeasurementSource {
    meta: Meta,
    messages: Receiver<FeedMessage>,
    stop: Stop,
    over: bool,
}

impl SampleSource for MeasurementSource {
    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn advance(&mut self, live: &mut Live, step: bool) {
        while let Ok(message) = self.messages.try_recv() {
            self.over |= message.give(live);
            if step {
                break;
            }
        }
    }

    fn over(&self) -> bool {
        self.over
    }

    fn end(&mut self) {
        self.stop.stop();
    }
}

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
