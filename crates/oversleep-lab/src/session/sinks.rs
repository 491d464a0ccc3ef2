//! The sinks that receive a run's samples and notes.

use super::Notice;
use super::late::LateActor;
use super::recording_file::RecordingFile;
use super::results::Results;
use super::subjects::Subjects;
use oversleep_analysis::attribution::name_late;
use oversleep_capture::late::{Counting, Watch};
use oversleep_figures::Summariser;
use oversleep_recording::plan::{Cell, Plan, Turn};
use oversleep_recording::{LateAccount, LateSleep, Meta, Note, Recording, Sample, Sink, Wakes};
use oversleep_report::notes::refusals;
use oversleep_sys::units::Nanos;
use std::collections::HashSet;

/// The file, the figures, the samples in memory if they are wanted, and the subscriber.
pub(super) struct Sinks<'a> {
    meta: Meta,
    file: RecordingFile<'a>,
    summary: Summariser,
    subjects: Subjects,
    recording: Option<Recording>,
    subscriber: Option<&'a mut dyn Sink>,
    late: Option<LateWatch<'a>>,
    early: Option<EarlyWarning<'a>>,
}

/// Says what was refused as soon as that is known: nobody should have to wait for a long run's end to learn that it was measured
/// under other conditions.
pub(super) struct EarlyWarning<'a> {
    notice: Notice<'a>,
    said: HashSet<String>,
}

impl<'a> EarlyWarning<'a> {
    /// Returns a warning for runs of this plan; `None` if they are over so soon that the results say it.
    pub(super) fn of_long(plan: &Plan, notice: Notice<'a>) -> Option<Self> {
        let typical = |cell: u32| plan.cells.get(cell as usize).map_or(Nanos::ZERO, |cell| cell.pattern.typical());
        let takes = |turn: &Turn| i128::from(typical(turn.cell).get()) * i128::from(turn.sleeps);
        let long = plan.turns.iter().map(takes).sum::<i128>() > i128::from(LONG.get());
        long.then(|| Self { notice, said: HashSet::new() })
    }

    fn hear(&mut self, meta: &Meta, note: &Note) {
        for refusal in refusals(meta, note) {
            if self.said.insert(refusal.clone()) {
                (self.notice)(&format!("WARNING: {refusal}"));
            }
        }
    }
}

/// Planned duration from which on refusals are said at once.
const LONG: Nanos = Nanos::from_secs(5);

impl<'a> Sinks<'a> {
    pub(super) fn new(
        meta: &Meta,
        file: RecordingFile<'a>,
        in_memory: bool,
        subscriber: Option<&'a mut dyn Sink>,
        late: Option<LateWatch<'a>>,
        early: Option<EarlyWarning<'a>>,
    ) -> Self {
        Self {
            meta: meta.clone(),
            file,
            summary: Summariser::new(meta),
            subjects: Subjects::new(meta),
            recording: in_memory.then(|| Recording::new(meta.clone())),
            subscriber,
            late,
            early,
        }
    }

    /// Returns everything noted so far that figures need.
    pub(super) fn notes(&self) -> &Note {
        self.summary.notes()
    }

    /// Returns what sleeping threads need to count for the watch for late sleeps; `None` if there is none that wants it.
    pub(super) fn counting(&mut self) -> Option<Counting> {
        self.late.as_mut()?.counting()
    }

    /// Ends the watch for late sleeps, if there is one, and notes its totals.
    pub(super) fn finish_late(&mut self) {
        if let Some(late) = self.late.take().and_then(LateWatch::finish) {
            self.note(&Note { late: Some(late), ..Note::default() });
        }
    }

    /// Returns the results, and the file, which is still open.
    pub(super) fn finish(mut self) -> (Results, RecordingFile<'a>) {
        self.finish_late();
        let results = Results::new(self.meta, self.summary, self.subjects);
        (Results { recording: self.recording, ..results }, self.file)
    }

    /// Closes the file after a run that failed.
    pub(super) fn abandon(self) {
        self.file.abandon();
    }

    /// Calls `give` for every sink.
    fn each(&mut self, mut give: impl FnMut(&mut dyn Sink)) {
        give(&mut self.file);
        give(&mut self.summary);
        give(&mut self.subjects);
        if let Some(recording) = &mut self.recording {
            give(recording);
        }
        if let Some(subscriber) = &mut self.subscriber {
            give(*subscriber);
        }
    }
}

impl Sink for Sinks<'_> {
    fn samples(&mut self, batch: &[Sample]) {
        let (batch, late_sleeps) = self.late.as_mut().map_or((batch, Vec::new()), |late| late.among(batch));
        if !late_sleeps.is_empty() {
            self.note(&Note { late_sleeps, ..Note::default() });
        }
        self.each(|sink| sink.samples(batch));
    }

    fn wakes(&mut self, wakes: &Wakes) {
        if self.recording.is_none() && self.subscriber.is_none() && self.late.is_none() {
            self.file.wakes(wakes);
            self.summary.wakes(wakes);
        } else {
            self.samples(&wakes.samples().collect::<Vec<_>>());
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.meta.plan.cells.push(cell.clone());
        self.each(|sink| sink.cell(cell));
    }

    fn note(&mut self, note: &Note) {
        let mut acted = None;
        if let Some(late) = &mut self.late {
            late.learn(note);
            acted = late.act(note, self.summary.notes());
        }
        let note = acted.as_ref().unwrap_or(note);
        self.each(|sink| sink.note(note));
        if let Some(early) = &mut self.early {
            early.hear(&self.meta, note);
        }
    }

    fn flush(&mut self) {
        self.each(|sink| sink.flush());
    }
}

/// A watch for late sleeps, with the actions on them.
pub(super) struct LateWatch<'a> {
    /// Looks for late sleeps among samples; `None` for a traced run, which looks itself.
    watch: Option<Watch>,
    actor: LateActor<'a>,
    plan: Plan,
    /// Whether a stop takes effect at the very sample: in a simulation, later samples can still be left out.
    exact: bool,
}

impl<'a> LateWatch<'a> {
    pub(super) fn new(watch: Option<Watch>, actor: LateActor<'a>, plan: Plan, exact: bool) -> Self {
        Self { watch, actor, plan, exact }
    }

    /// Returns the samples that belong to the run, and the late sleeps among them.
    pub(super) fn among<'b>(&mut self, batch: &'b [Sample]) -> (&'b [Sample], Vec<LateSleep>) {
        let Some(watch) = &mut self.watch else { return (batch, Vec::new()) };
        if !self.exact {
            return (batch, watch.samples(batch));
        }
        let mut found = Vec::new();
        for (at, sample) in batch.iter().enumerate() {
            if watch.stopped() {
                return (&batch[..at], found);
            }
            found.extend(watch.samples(std::slice::from_ref(sample)));
        }
        (batch, found)
    }

    /// Returns what sleeping threads need to count for this watch, if it wants that.
    pub(super) fn counting(&mut self) -> Option<Counting> {
        self.watch.as_mut()?.counting()
    }

    /// Takes a note of the run into account.
    pub(super) fn learn(&mut self, note: &Note) {
        if let Some(watch) = &mut self.watch {
            watch.learn(note);
        }
    }

    /// Names the causes of the late sleeps of a note and acts on each; `known` is what the run noted before. Returns
    /// the note, with the path of each trace that was kept; `None` if it has no late sleeps.
    pub(super) fn act(&mut self, note: &Note, known: &Note) -> Option<Note> {
        if note.late_sleeps.is_empty() {
            return None;
        }
        let mut note = note.clone();
        for found in &mut note.late_sleeps {
            found.trace = self.actor.act(found, name_late(&self.plan, known, found));
        }
        Some(note)
    }

    /// Waits for the last command, up to a limit. Returns the totals of late sleeps, if this watch counted them.
    pub(super) fn finish(self) -> Option<LateAccount> {
        self.actor.finish();
        self.watch.as_ref().map(Watch::finish)
    }
}
