//! The results of a run or a file, as a document and as text.

use super::subjects::Subjects;
use super::tail;
use oversleep_analysis::attribution::{late_sleeps, trace_documents};
use oversleep_analysis::patterns::diagnose;
use oversleep_analysis::{attach, clocks, document, runtimes, stalls};
use oversleep_figures::{CellSummary, Summariser, buckets, check_work};
use oversleep_recording::document::attach::{Attached, Loop};
use oversleep_recording::document::clocks::Clocks;
use oversleep_recording::document::runtimes::Runtimes;
use oversleep_recording::document::stalls::Stalls;
use oversleep_recording::document::trace::{Trace, Traced};
use oversleep_recording::document::{Diagnosis, DistributionFigures, Measured, ShareOver};
use oversleep_recording::plan::Kind;
use oversleep_recording::{Meta, Note, Recording, WatchedCpu};
use oversleep_report::headline::{self, Headline};
use oversleep_report::{self as report, Screen};
use oversleep_sys::units::Nanos;
use serde::Serialize;
use std::path::PathBuf;

/// The figures of a recording, and everything else that can be said about it without its samples.
#[derive(Debug)]
pub struct Results {
    /// Head of the recording: what was known before the first sample.
    pub meta: Meta,
    /// Everything in the notes that figures need.
    pub note: Note,
    /// Summary of each cell.
    pub cells: Vec<CellSummary>,
    /// Stalls of processors and their causes, if the recording is of stalls.
    pub stalls: Option<Stalls>,
    /// What runtimes add to the kernel's lateness, if the recording is of runtimes.
    pub runtimes: Option<Runtimes>,
    /// Loops and culprits of another program, if the recording is of its waits.
    pub attached: Option<Attached>,
    /// Loops in another program's table of sleeps.
    pub loops: Vec<Loop>,
    /// Breakdowns of traced sleeps, if the recording is of them and was read whole.
    pub(super) traces: Vec<Trace>,
    /// All samples and notes, if they were kept in memory.
    pub recording: Option<Recording>,
    /// Path of the recording's file, if this run made one.
    pub kept_in: Option<PathBuf>,
    /// Time that the work of each period of a schedule takes, if its periods are judged by it.
    pub(super) work: Option<Nanos>,
    /// Limit beyond which sleeps or stalls are counted.
    pub(super) over: Option<Nanos>,
}

impl Results {
    pub(super) fn new(meta: Meta, summary: Summariser, subjects: Subjects) -> Self {
        let note = summary.notes().clone();
        let cells = summary.finish();
        let stalls = subjects.stalls.map(|stalls| stalls::document(&note, &cells, stalls.finish()));
        let runtimes = subjects.runtimes.as_ref().map(runtimes::document);
        let attached = subjects.attach.as_ref().and_then(attach::Gather::document);
        let loops = subjects
            .loops
            .map_or_else(Vec::new, |loops| loops.finish(&cells.iter().map(|cell| &cell.cell).collect::<Vec<_>>()));
        Self {
            meta,
            note,
            cells,
            stalls,
            runtimes,
            attached,
            loops,
            traces: Vec::new(),
            recording: None,
            kept_in: None,
            work: None,
            over: None,
        }
    }

    /// Returns the survey of clocks, if the recording is one.
    pub fn clocks(&self) -> Option<Clocks> {
        (self.meta.plan.kind == Kind::Clocks).then(|| clocks::document(&self.meta, &self.note))
    }

    /// Returns the figures as a document.
    pub fn document(&self) -> Measured {
        let mut measured = document::measured(&self.meta, &self.note, &self.cells);
        measured.stalls.clone_from(&self.stalls);
        measured.attached.clone_from(&self.attached);
        measured.loops.clone_from(&self.loops);
        for (cell, summary) in measured.cells.iter_mut().zip(&self.cells) {
            cell.time_left = summary.time_left(self.work);
            cell.over = self.over(summary);
        }
        measured
    }

    /// Returns the document for this kind of recording as JSON.
    pub fn json(&self) -> String {
        let headline = self.headline(None, &[]);
        match (self.clocks(), &self.runtimes) {
            (Some(clocks), _) => pretty(&headline.with_document(clocks)),
            (None, Some(runtimes)) => pretty(&headline.with_document(runtimes)),
            (None, None) => pretty(&headline.with_document(self.document())),
        }
    }

    /// Returns what the recording shows in one sentence, with the causes that are known, and what to do about it. What is beyond a limit
    /// comes first, if one was given.
    pub fn headline(&self, diagnosis: Option<&Diagnosis>, traces: &[Trace]) -> Headline {
        let found = self.main_result(diagnosis, traces);
        match report::over::sentence(&self.each_over()) {
            Some(over) => Headline { text: format!("{over} {}", found.text), ..found },
            None => found,
        }
    }

    fn main_result(&self, diagnosis: Option<&Diagnosis>, traces: &[Trace]) -> Headline {
        let (plan, note) = (&self.meta.plan, &self.note);
        if let Some(clocks) = self.clocks() {
            return headline::of_clocks(&clocks);
        }
        if let Some(stalls) = &self.stalls {
            return report::stalls::headline(stalls, &self.cells);
        }
        if let Some(runtimes) = &self.runtimes {
            return Headline::without_advice(report::runtimes::headline(runtimes));
        }
        if let Some(attached) = &self.attached {
            return report::attach::headline(attached, &self.cells);
        }
        if let Some(counted) = headline::of_distributions(&self.counts()) {
            return counted;
        }
        let system = &self.meta.machine.system;
        let traces = if traces.is_empty() { &self.traces[..] } else { traces };
        let sleeps = match traces {
            [] => headline::of_sleeps(&self.cells, plan.kind == Kind::Diagnose, diagnosis, system)
                .with_work(&self.cells, self.work),
            traces => headline::of_traces(traces, diagnosis, system),
        };
        match late_sleeps(plan, note) {
            Some(late) => sleeps.with_late(&late),
            None => sleeps.with_loops(&self.loops),
        }
    }

    /// Returns a verdict with its evidence and the facts of the run, in the order of all commands.
    pub fn shown(&self, verdict: &Headline, evidence: &str, screen: Screen) -> String {
        let facts = report::header::facts(&self.meta, &self.note, &self.cells, screen);
        report::header::around(verdict, evidence, &facts, screen)
    }

    /// Returns the results as text for the screen.
    pub fn text(&self, screen: Screen) -> String {
        self.shown(&self.headline(None, &[]), &self.evidence(screen), screen)
    }

    /// Returns what the verdict rests on.
    fn evidence(&self, screen: Screen) -> String {
        let (meta, note, cells) = (&self.meta, &self.note, &self.cells);
        if let Some(clocks) = self.clocks() {
            return report::clocks::text(&clocks, false);
        }
        if let Some(stalls) = &self.stalls {
            return report::stalls::text(meta, note, stalls, cells, screen) + &self.late_shares(screen);
        }
        if let Some(attached) = &self.attached {
            return report::attach::text(attached, cells, screen)
                + &self.late_shares(screen)
                + &report::notes::unavailable(meta, note, screen);
        }
        if let Some(runtimes) = &self.runtimes {
            let missing = report::notes::unavailable(meta, note, screen);
            return report::runtimes::text(runtimes, screen) + &self.late_shares(screen) + &missing;
        }
        if let Some(distributions) = self.distributions(screen) {
            return distributions + &self.remarks(screen);
        }
        let mut out = self.figures(screen) + &self.late_shares(screen);
        out.push('\n');
        for probe in &note.probes {
            out += &report::runtimes::kernel_requests(
                &[(&probe.method, &runtimes::kernel_requests(note, &probe.method))],
                screen,
            );
        }
        out += &report::notes::convention(&self.cells, screen);
        out += &report::distributions::text(&[], &note.conventions, screen);
        out += &self.remarks(screen);
        out += &report::notes::privileges(meta, screen);
        out += &report::late::text(late_sleeps(&meta.plan, note).as_ref(), report::late::MOST, screen);
        out
    }

    /// Returns a remark for where the figures of all recordings are used, if those of runtimes count schedules otherwise.
    pub fn schedules(&self) -> Option<String> {
        let schedules = self.note.probes.iter().filter(|probe| probe.schedule && self.runtimes.is_some());
        let names: Vec<&str> = schedules.map(|probe| &*probe.method).collect();
        let text = "lateness counts here from the timetable of a schedule; the table of runtimes counts it from the tick before \
                    where the timetable is lost";
        (!names.is_empty()).then(|| format!("{}: {text}", names.join(", ")))
    }

    /// Returns the figures of the counts of another program's file; empty for every other recording.
    pub fn counts(&self) -> Vec<DistributionFigures> {
        buckets::figures(&self.meta.plan, &self.note)
    }

    /// Returns the figures of a file that holds buckets as text; `None` for every other recording.
    pub(super) fn distributions(&self, screen: Screen) -> Option<String> {
        let distributions = self.counts();
        let text = || report::distributions::text(&distributions, &self.note.conventions, screen);
        (!distributions.is_empty()).then(text)
    }

    /// Returns whether nothing was measured: no sleeps, no stalls, and no distributions from a file.
    pub fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| cell.raw.n == 0) && self.note.distributions.is_empty()
    }

    /// Returns how long the work of each period of a schedule takes, if its periods are judged by it.
    pub const fn work(&self) -> Option<Nanos> {
        self.work
    }

    /// Has the text and the document say in how many periods of each schedule at least `work` was left after the wake-up.
    ///
    /// # Errors
    /// If the recording has no schedule, or a schedule whose period is not longer than `work`; the text says which.
    pub fn judge_by_work(&mut self, work: Nanos) -> Result<(), String> {
        let are_schedules = self.are_schedules();
        check_work(work, self.cells.iter().filter(|_| are_schedules).filter_map(CellSummary::period))?;
        self.work = Some(work);
        Ok(())
    }

    /// Has the text and the document say how many sleeps were later than `limit`, or stalls longer.
    ///
    /// # Errors
    /// If the recording has no single sleeps or stalls; the text says what it has.
    pub fn count_over(&mut self, limit: Nanos) -> Result<(), String> {
        match self.meta.plan.kind {
            Kind::Clocks => Err("a survey of clocks has no sleeps to count".to_owned()),
            _ if !self.note.distributions.is_empty() => {
                Err("the file counts sleeps in buckets and has no single ones".to_owned())
            }
            _ => {
                self.over = Some(limit);
                Ok(())
            }
        }
    }

    /// Returns how many sleeps of a cell were later than the limit, if there is one.
    fn over(&self, cell: &CellSummary) -> Option<ShareOver> {
        let watched = self.watched().iter().find(|one| one.cell == cell.cell.id).map(WatchedCpu::watched);
        Some(cell.over(self.over?, watched))
    }

    /// Returns the processors that were watched, if the recording is of stalls.
    pub fn watched(&self) -> &[WatchedCpu] {
        self.stalls.as_ref().map_or(&[], |stalls| &stalls.processors)
    }

    /// Returns the table of the sleeps later than the limit; empty without one.
    fn late_shares(&self, screen: Screen) -> String {
        report::over::text(&self.each_over(), screen)
    }

    /// Returns how many sleeps of each cell were later than the limit; none without one.
    fn each_over(&self) -> Vec<(&CellSummary, ShareOver)> {
        self.cells.iter().filter_map(|cell| Some((cell, self.over(cell)?))).collect()
    }

    /// Returns whether all sleeps are of schedules and shown as such.
    fn are_schedules(&self) -> bool {
        !self.cells.is_empty() && self.cells.iter().all(|cell| cell.corrected.is_some())
    }

    /// Returns only the table of figures.
    pub fn figures(&self, screen: Screen) -> String {
        match self.meta.plan.kind {
            Kind::Sweep => report::sweep::text(&self.cells, screen),
            Kind::Load => report::load::text(&self.cells, screen),
            // Also those of a table, which names no experiment.
            Kind::Periodic if self.cells.len() > 1 && self.are_schedules() => {
                report::schedules::text(&self.cells, self.work, screen)
            }
            _ if self.are_schedules() => report::periodic::text(&self.cells, self.work, screen),
            _ => report::table::ranking(&self.cells, screen),
        }
    }

    /// Returns remarks on the figures, and what was unavailable.
    pub fn remarks(&self, screen: Screen) -> String {
        report::notes::remarks(&self.note, &self.cells, screen)
            + &report::notes::unavailable(&self.meta, &self.note, screen)
            + &report::notes::nothing_to_hold(&self.meta, screen)
    }

    /// Returns the findings in the samples in memory; `None` if they were not kept.
    pub fn diagnosis(&self) -> Option<Diagnosis> {
        self.recording.as_ref().map(diagnose)
    }

    /// Returns figures and findings as JSON.
    pub fn json_with(&self, diagnosis: &Diagnosis) -> String {
        let checkup = document::checkup(&self.meta, &self.note, &self.cells, diagnosis);
        pretty(&self.headline(Some(diagnosis), &[]).with_document(checkup))
    }

    /// Returns figures and a brief form of the findings as text.
    pub fn text_with(&self, diagnosis: &Diagnosis, screen: Screen) -> String {
        let tail = tail::question(self, diagnosis);
        let brief = report::findings::brief(
            &self.meta.machine.system,
            diagnosis,
            tail.as_ref(),
            self.kept_in.as_deref(),
            screen,
        );
        let evidence = format!("{}\n{brief}", self.evidence(screen));
        self.shown(&self.headline(Some(diagnosis), &[]), &evidence, screen)
    }
}

/// The breakdown of a recording of traced sleeps.
pub struct Breakdown<'a> {
    /// The recording.
    pub recording: &'a Recording,
    /// Whether the document lists every sleep.
    pub every: bool,
}

impl Breakdown<'_> {
    /// Returns the document as JSON; `results` are of the same recording.
    pub fn json(&self, results: &Results, diagnosis: Option<&Diagnosis>) -> String {
        let traces = trace_documents(self.recording, self.every);
        let late = late_sleeps(&self.recording.meta.plan, &self.recording.note);
        pretty(&results.headline(diagnosis, &traces).with_document(Traced::new(&traces, late.as_ref())))
    }

    /// Returns the document as JSON, with the findings.
    pub(super) fn explained_json(&self, results: &Results, diagnosis: &Diagnosis) -> String {
        let mut traces = trace_documents(self.recording, self.every);
        for trace in &mut traces {
            let of_cell = diagnosis.cells.iter().find(|found| found.cell == trace.untraced_cell);
            trace.findings = of_cell.map(|found| found.findings.clone()).unwrap_or_default();
        }
        let late = late_sleeps(&self.recording.meta.plan, &self.recording.note);
        let document = Traced::new(&traces, late.as_ref()).with_findings(diagnosis);
        pretty(&results.headline(Some(diagnosis), &traces).with_document(document))
    }

    /// Returns the breakdown as text for the screen, after `findings` in the pattern of untraced sleeps; `results` are of the same
    /// recording.
    pub fn text(&self, results: &Results, diagnosis: Option<&Diagnosis>, findings: &str, screen: Screen) -> String {
        let traces = trace_documents(self.recording, self.every);
        let Recording { meta, note, .. } = self.recording;
        let late = late_sleeps(&meta.plan, note);
        let evidence = report::breakdown::text(&traces, late.as_ref(), screen);
        let evidence = format!("{evidence}{}\n{findings}", report::notes::tracing_privileges(meta, screen));
        results.shown(&results.headline(diagnosis, &traces), &evidence, screen)
    }
}

/// Returns a document as indented JSON.
pub(super) fn pretty(document: &impl Serialize) -> String {
    // Documents are plain data with text keys, so writing them does not fail.
    serde_json::to_string_pretty(document).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"))
}
