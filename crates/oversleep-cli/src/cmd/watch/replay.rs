//! Replay of a recording in `watch`, as if it were being measured.

use super::screen::SampleSource;
use crate::failure::Failure;
use crate::input::read_into;
use oversleep_lab::report::live::{Live, TIME_STEP};
use oversleep_lab::session::{Input, enter_note};
use oversleep_recording::plan::{ClockName, Kind};
use oversleep_recording::{ClocksAhead, Meta, Note, Recording, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::path::Path;
use std::time::Instant;

/// Reads a whole recording.
pub(super) fn read(file: &Path, partial: bool) -> Result<Recording, Failure> {
    let mut recording = None;
    let input = Input { path: Some(file.to_owned()), partial, ..Input::default() };
    read_into(&input, None, |meta| recording.insert(Recording::new(meta.clone())))?;
    let recording = recording.ok_or_else(|| Failure::trouble("the recording has no header"))?;
    if recording.meta.plan.kind == Kind::Clocks || recording.samples.is_empty() {
        return Err(Failure::trouble(format!("{}: there are no sleeps in it to watch", file.display())));
    }
    Ok(recording)
}

/// A replay of a recording: its samples in the order in which they ended.
pub(super) struct Replay {
    meta: Meta,
    note: Option<Note>,
    /// Samples, each with the time at which it ended, counted from the start of the earliest.
    samples: Vec<(Nanos, Sample)>,
    next: usize,
    at: Nanos,
    /// When the replay last advanced; `None` before the start and after a pause.
    looked: Option<Instant>,
}

impl Replay {
    pub(super) fn new(recording: Recording) -> Self {
        let Recording { meta, samples, note } = recording;
        let mut ahead = ClocksAhead::default();
        ahead.take(&note.brackets);
        let clock = |cell: u32| meta.plan.cells.iter().find(|known| known.id == cell).map(|cell| cell.clock);
        let monotonic = |cell: u32, time| ahead.monotonic(clock(cell).unwrap_or(ClockName::Monotonic), time).get();
        let begun = samples.iter().map(|sample| monotonic(sample.cell, sample.start)).min().unwrap_or(0);
        let ended = |sample: &Sample| Nanos::new(monotonic(sample.cell, sample.end).saturating_sub(begun));
        let mut samples: Vec<(Nanos, Sample)> = samples.iter().map(|sample| (ended(sample), *sample)).collect();
        samples.sort_by_key(|(ended, _)| *ended);
        Self { meta, note: Some(note), samples, next: 0, at: Nanos::ZERO, looked: None }
    }

    /// Adds the samples that ended by `at` to `live`.
    pub(super) fn advance_to(&mut self, live: &mut Live, at: Nanos) {
        if let Some(note) = self.note.take() {
            enter_note(live, &note);
        }
        self.at = at;
        let count = self.samples[self.next..].partition_point(|(ended, _)| *ended <= at);
        let batch: Vec<Sample> = self.samples[self.next..self.next + count].iter().map(|(_, sample)| *sample).collect();
        live.samples(&batch);
        self.next += count;
    }
}

impl SampleSource for Replay {
    fn meta(&self) -> &Meta {
        &self.meta
    }

    fn advance(&mut self, live: &mut Live, step: bool) {
        let now = Instant::now();
        let passed = self.looked.map_or(Nanos::ZERO, |looked| Nanos::from(now.duration_since(looked)));
        self.looked = Some(now);
        self.advance_to(live, self.at + if step { TIME_STEP } else { passed });
    }

    /// Forgets when the replay last advanced, so that the time of a pause is not replayed.
    fn pause(&mut self) {
        self.looked = None;
    }

    fn over(&self) -> bool {
        self.next == self.samples.len()
    }
}
