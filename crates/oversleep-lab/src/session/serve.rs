//! Measurement without end, at a low duty cycle, with running figures and segments of the last rounds.

mod drift;
mod stalls;

use super::{
    Explainer, Explanation, Keep, LateRequest, MeasureRequest, Notice, RequestError, RunError, Runner, describe, plan,
};
use drift::Drifts;
use oversleep_capture::sleeps::Stop;
use oversleep_export::metrics::{Metrics, ShownFinding};
use oversleep_recording::file::Segments;
use oversleep_recording::plan::{Cell, Plan};
use oversleep_recording::trace::Tier;
use oversleep_recording::{Meta, Note, Sample, Sink, shell_word};
use oversleep_report::notes;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use stalls::{Stall, Stalls};
use std::cell::Cell as Flag;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Length of a round, which makes one recording. At its end, threads start anew and causes are looked for.
const ROUND: Nanos = Nanos::from_secs(120);

/// Most sleeps of a round, so that its recording has at most 16 MB.
const MOST_SLEEPS: u64 = 200_000;

/// A request for a measurement without end.
pub struct ServeRequest {
    /// The measurement of every round; its number of sleeps is set so that a round lasts two minutes.
    pub measure: MeasureRequest,
    /// Folder for segments, the recordings of the last rounds; if `None`, they are not kept.
    pub folder: Option<PathBuf>,
    /// Lateness above which a round's recording, and that of the round before, are saved.
    pub save_on_late: Option<Nanos>,
    /// Lateness above which a sleep counts as a stall.
    pub stall_threshold: Nanos,
    /// The best evidence to look for causes with.
    pub tier: Tier,
}

/// Stalls of a round that are examined; the rest are only counted. Each takes some hundred bytes of its recording.
const EXAMINED: u64 = 100;
/// Samples of a round from which its causes are looked for: all 12 000 take 4 MiB more.
const EXPLAINED: usize = 2_048;
/// Late sleeps of a round that are told of one by one.
const TOLD: u64 = 10;
/// How often samples are collected.
const COLLECTED: Nanos = Nanos::SECOND;

/// What is saved of a late sleep: a round's recording, and that of the round before it, which shows how it was until then.
const SAVED_ROUNDS: usize = 2;

/// A measurement without end, and its figures so far.
pub struct Server {
    plan: Plan,
    tool: String,
    folder: Option<PathBuf>,
    save_on_late: Option<Nanos>,
    stall_threshold: Nanos,
    tier: Tier,
    metrics: Mutex<Metrics>,
}

impl Server {
    /// Beginning of the line that says where recordings are kept, once there is one.
    pub const KEEPS: &str = "recordings of the last 40 minutes in ";
    /// Part of the line that says how many late sleeps were not told of.
    pub const MORE: &str = "more sleeps were later than";

    /// Plans the rounds, without starting to measure.
    ///
    /// # Errors
    /// If the request cannot be planned.
    pub fn new(request: ServeRequest, tool: &str) -> Result<Self, RequestError> {
        let once = plan(&MeasureRequest { repeats: Some(1), ..request.measure.clone() })?;
        let asked = once.cells.iter().map(|cell| cell.pattern.requested().unwrap_or(Nanos::ZERO));
        let each = asked.fold(Nanos::ZERO, Nanos::saturating_add).max(Nanos::from_micros(100));
        let fit = (ROUND.get() / each.get()).unsigned_abs().min(MOST_SLEEPS / once.cells.len().max(1) as u64);
        let repeats = fit.max(1);
        let plan = plan(&MeasureRequest { repeats: Some(repeats), ..request.measure })?;
        let ServeRequest { folder, save_on_late, stall_threshold, tier, .. } = request;
        let metrics = Mutex::new(Metrics::new(&plan, tool, monotonic(), stall_threshold));
        Ok(Self { plan, tool: tool.to_owned(), folder, save_on_late, stall_threshold, tier, metrics })
    }

    /// Returns the figures so far as OpenMetrics text, including `processor_time`, the processor time used so far.
    pub fn text(&self, processor_time: Option<Nanos>) -> String {
        let metrics = self.metrics.lock().unwrap_or_else(PoisonError::into_inner);
        metrics.text(monotonic(), processor_time).unwrap_or_default()
    }

    /// Measures round after round until stopped.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn run(&self, stop: &Stop, notice: Notice<'_>) -> Result<(), RunError> {
        let mut drifts = Drifts::default();
        let (announced, told) = (Flag::new(false), Flag::new(false));
        let mut refused = BTreeSet::new();
        let opened = |path: Option<&Path>| {
            self.metrics.lock().unwrap_or_else(PoisonError::into_inner).set_kept(path.is_some());
            if let Some(folder) = path.and_then(Path::parent).filter(|_| !announced.replace(true)) {
                notice(&format!("{}{}", Self::KEEPS, folder.display()));
            }
        };
        while !stop.stopped() {
            let meta = describe(self.plan.clone(), &self.tool);
            let saving = self
                .folder
                .as_deref()
                .zip(self.save_on_late)
                .map(|(folder, above)| (Segments::in_folder(folder), above));
            let mut round = Round {
                metrics: &self.metrics,
                explainer: Explainer::with_bound(&meta, EXPLAINED),
                drifts: &mut drifts,
                stalls: Stalls::new(self.stall_threshold, &self.plan),
                meta: &meta,
                refused: &mut refused,
                saving,
                late: 0,
                latest: Nanos::ZERO,
                untold: 0,
                latest_untold: Nanos::ZERO,
                notice,
                told: &told,
            };
            let run = Runner {
                keep: self.folder.clone().map_or(Keep::Nowhere, Keep::Segments),
                stop: stop.clone(),
                flush_every: Some(COLLECTED),
                late: Some(self.late()),
                subscriber: Some(&mut round),
                opened: Some(&opened),
                ..Runner::new(&self.tool, notice)
            };
            run.measure(self.plan.clone(), &mut ())?;
            round.tell_rest();
            let found = round.explainer.finish().map_or_else(Vec::new, |explanation| findings(&explanation));
            self.metrics.lock().unwrap_or_else(PoisonError::into_inner).set_findings(&found);
        }
        Ok(())
    }

    /// Returns how late sleeps are examined: those that count as stalls, and those of which recordings are saved.
    fn late(&self) -> LateRequest {
        let threshold = self.save_on_late.map_or(self.stall_threshold, |above| above.min(self.stall_threshold));
        LateRequest { threshold, actions: Vec::new(), most: Some(EXAMINED), tier: Some(self.tier) }
    }
}

fn findings(explanation: &Explanation) -> Vec<ShownFinding> {
    let cells = explanation.diagnosis().map(|diagnosis| diagnosis.cells.as_slice()).unwrap_or_default();
    let all = cells.iter().flat_map(|cell| &cell.findings);
    all.map(|finding| ShownFinding {
        cause: finding.cause().name().to_owned(),
        confidence: finding.confidence,
        share: finding.share,
    })
    .collect()
}

/// The sink of one round.
struct Round<'a> {
    metrics: &'a Mutex<Metrics>,
    explainer: Explainer,
    drifts: &'a mut Drifts,
    stalls: Stalls,
    meta: &'a Meta,
    /// Refusals of conditions that were said already, in this round or in one before.
    refused: &'a mut BTreeSet<String>,
    /// The segments, and the lateness above which they are saved.
    saving: Option<(Segments, Nanos)>,
    /// Sleeps that were later so far.
    late: u64,
    /// The greatest lateness so far.
    latest: Nanos,
    /// Number of those that were not told of, and the greatest lateness of them.
    untold: u64,
    latest_untold: Nanos,
    notice: Notice<'a>,
    /// Whether it was said what shows more of a saved sleep.
    told: &'a Flag<bool>,
}

impl Round<'_> {
    fn metrics(&self) -> MutexGuard<'_, Metrics> {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, stalls: &[Stall]) {
        for stall in stalls {
            self.metrics().count_stall(&stall.cause, &stall.parts);
        }
    }

    /// Tells of the sleeps that are later than asked for, and saves the newest segments at the round's first one.
    fn save_if_late(&mut self, batch: &[Sample]) {
        let Some((_, above)) = self.saving else { return };
        for sample in batch.iter().filter(|sample| sample.oversleep() > above) {
            self.late += 1;
            let what = format!("{}: a sleep was {}", local_time(sample.end), self.stalls.explanation(sample));
            match self.late {
                1 => self.save(&what),
                2..=TOLD => (self.notice)(&what),
                // Later than all before it.
                _ if sample.oversleep() > self.latest => (self.notice)(&what),
                _ => {
                    self.untold += 1;
                    self.latest_untold = self.latest_untold.max(sample.oversleep());
                }
            }
            self.latest = self.latest.max(sample.oversleep());
        }
    }

    /// Says how many late sleeps of the round were not told of.
    fn tell_rest(&self) {
        if let Some((_, above)) = self.saving
            && self.untold > 0
        {
            let rest = self.untold;
            let more = Server::MORE;
            (self.notice)(&format!(
                "{}: {rest} {more} {above} in these two minutes, by up to {}",
                local_time(monotonic()),
                self.latest_untold
            ));
        }
    }

    fn save(&self, what: &str) {
        let Some((segments, _)) = &self.saving else { return };
        let outcome = match segments.save(SAVED_ROUNDS) {
            Ok(file) => {
                let file = shell_word(&file.display().to_string());
                let more = if self.told.replace(true) {
                    ""
                } else {
                    "; more of it once these two minutes are over: oversleep report FILE, oversleep explain FILE (`serve --tier events`, as root, also records which threads ran)"
                };
                format!("{what}; saved in {file}{more}")
            }
            Err(error) => format!("{what}, and the segments cannot be saved: {error}"),
        };
        (self.notice)(&outcome);
    }
}

/// Returns the local time of a recent reading of the monotonic clock, to the second; of another clock's reading, the time now.
fn local_time(at: Nanos) -> String {
    let ago = monotonic().saturating_sub(at);
    let ago = if (Nanos::ZERO..ROUND).contains(&ago) { ago } else { Nanos::ZERO };
    let now = jiff::Zoned::now();
    now.checked_sub(jiff::SignedDuration::from_nanos(ago.get())).unwrap_or(now).strftime("%F %T %Z").to_string()
}

impl Sink for Round<'_> {
    fn samples(&mut self, batch: &[Sample]) {
        self.metrics().samples(batch);
        self.save_if_late(batch);
        let stalls = self.stalls.samples(batch);
        self.count(&stalls);
        self.explainer.samples(batch);
    }

    fn cell(&mut self, cell: &Cell) {
        self.explainer.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        for refusal in notes::refusals(self.meta, note) {
            if self.refused.insert(refusal.clone()) {
                (self.notice)(&format!("oversleep: {refusal}"));
            }
        }
        self.metrics().note(note);
        let stalls = self.stalls.note(note);
        self.count(&stalls);
        if let Some(drifts) = self.drifts.take(&note.brackets) {
            self.metrics().set_drifts(&drifts);
        }
        self.explainer.note(note);
    }
}
