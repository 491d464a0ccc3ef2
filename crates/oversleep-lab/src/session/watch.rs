//! The watch for late sleeps among the samples of a run, and the actions on them.

use super::late::LateActor;
use oversleep_analysis::attribution::name_late;
use oversleep_capture::late::{Counting, Watch};
use oversleep_recording::plan::Plan;
use oversleep_recording::{LateAccount, LateSleep, Note, Sample};

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
