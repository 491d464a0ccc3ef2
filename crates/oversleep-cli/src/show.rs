//! Results on standard output.

use crate::args::{LateArgs, Output};
use crate::failure::Failure;
use crate::files::Kept;
use crate::late::Deeds;
use crate::say::say;
use oversleep_lab::analysis::attribution::{late_sleeps, name_late};
use oversleep_lab::analysis::patterns::Diagnosis;
use oversleep_lab::analysis::{CellSummary, Summariser, document};
use oversleep_lab::capture::late::Watch;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::export;
use oversleep_lab::report::check::FailIf;
use oversleep_lab::report::{self, Look};
use oversleep_recording::plan::Plan;
use oversleep_recording::trace::Tier;
use oversleep_recording::{LateSleep, Meta, Note, Recording, Sample, Sink, Wakes};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Every sample as CSV on standard output.
pub(crate) fn csv(meta: &Meta) -> export::csv::Csv<BufWriter<io::Stdout>> {
    export::csv::Csv::new(meta, BufWriter::new(io::stdout()))
}

/// Everything that a run's samples go to.
pub(crate) struct All<'a> {
    pub(crate) kept: Kept,
    pub(crate) summary: Summariser,
    pub(crate) csv: Option<export::csv::Csv<BufWriter<io::Stdout>>>,
    pub(crate) recording: Option<Recording>,
    pub(crate) lines: Option<&'a mut dyn Sink>,
    pub(crate) late: Option<Late>,
}

/// Watching for late sleeps, and what is done about them.
pub(crate) struct Late {
    /// Looks for them among samples; a traced run looks itself.
    watch: Option<Watch>,
    deeds: Deeds,
    plan: Plan,
    /// Whether a stop takes effect at once: simulated time waits for nobody.
    exact: bool,
}

impl Late {
    /// Nothing if nobody asked for it. Without a `best` tier the run is simulated.
    pub(crate) fn new(
        args: &LateArgs,
        best: Option<Tier>,
        plan: &Plan,
        stop: &Stop,
        beside: Option<PathBuf>,
    ) -> Option<Self> {
        let watch = Watch::new(args.rule(best)?, plan);
        let (deeds, plan) = (Deeds::new(args, stop, beside), plan.clone());
        Some(Self { watch: Some(watch), deeds, plan, exact: best.is_none() })
    }

    /// The same for a traced run.
    pub(crate) fn of_traced(args: &LateArgs, plan: &Plan, stop: &Stop, beside: Option<PathBuf>) -> Option<Self> {
        args.on_late?;
        Some(Self { watch: None, deeds: Deeds::new(args, stop, beside), plan: plan.clone(), exact: false })
    }

    /// The samples that belong to the run, and the late ones among them.
    fn look<'b>(&mut self, batch: &'b [Sample]) -> (&'b [Sample], Vec<LateSleep>) {
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
}

impl All<'_> {
    /// Looks for late sleeps and enters them. Gives the samples that belong to the run.
    fn look<'b>(&mut self, batch: &'b [Sample]) -> &'b [Sample] {
        let Some(late) = &mut self.late else { return batch };
        let (batch, late_sleeps) = late.look(batch);
        if !late_sleeps.is_empty() {
            self.note(&Note { late_sleeps, ..Note::default() });
        }
        batch
    }

    /// Names late sleeps and does what is to be done about them. Gives the note with what was kept of each.
    fn act(&mut self, note: &Note) -> Option<Note> {
        let late = self.late.as_mut().filter(|_| !note.late_sleeps.is_empty())?;
        let mut note = note.clone();
        for found in &mut note.late_sleeps {
            let named = name_late(&late.plan, self.summary.notes(), found);
            found.trace = late.deeds.act(found, named);
        }
        Some(note)
    }

    /// Ends the watch for late sleeps, if there was one, and enters its account.
    pub(crate) fn finish_late(&mut self) {
        let account = self.late.as_ref().and_then(|late| late.watch.as_ref()).map(Watch::finish);
        self.finish_deeds();
        if account.is_some() {
            self.note(&Note { late: account, ..Note::default() });
        }
    }

    /// Waits a while for the last command.
    pub(crate) fn finish_deeds(&mut self) {
        if let Some(late) = self.late.take() {
            late.deeds.finish();
        }
    }
}

impl Sink for All<'_> {
    fn samples(&mut self, batch: &[Sample]) {
        let batch = self.look(batch);
        self.kept.samples(batch);
        self.summary.samples(batch);
        if let Some(csv) = &mut self.csv {
            csv.samples(batch);
        }
        if let Some(recording) = &mut self.recording {
            recording.samples(batch);
        }
        if let Some(lines) = &mut self.lines {
            lines.samples(batch);
        }
    }

    fn wakes(&mut self, wakes: &Wakes) {
        let plain = self.csv.is_none() && self.recording.is_none() && self.lines.is_none() && self.late.is_none();
        if plain {
            self.kept.wakes(wakes);
            self.summary.wakes(wakes);
        } else {
            self.samples(&wakes.samples().collect::<Vec<_>>());
        }
    }

    fn note(&mut self, note: &Note) {
        if let Some(watch) = self.late.as_mut().and_then(|late| late.watch.as_mut()) {
            watch.learn(note);
        }
        let acted = self.act(note);
        let note = acted.as_ref().unwrap_or(note);
        self.kept.note(note);
        self.summary.note(note);
        if let Some(recording) = &mut self.recording {
            recording.note(note);
        }
    }

    fn flush(&mut self) {
        self.kept.flush();
        if let Some(lines) = &mut self.lines {
            lines.flush();
        }
    }
}

/// The figures, as a table or as JSON, and whether they pass the checks asked for.
pub(crate) fn results(
    meta: &Meta,
    note: &Note,
    cells: &[CellSummary],
    diagnosis: Option<&Diagnosis>,
    output: &Output,
) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    if output.json {
        match diagnosis {
            Some(diagnosis) => json(&mut out, &document::checkup(meta, note, cells, diagnosis))?,
            None => json(&mut out, &document::measured(meta, note, cells))?,
        }
    } else {
        write!(out, "{}", text(meta, note, cells, output.look()))?;
        if let Some(diagnosis) = diagnosis {
            write!(out, "\n{}", report::findings::brief(&meta.machine.system, diagnosis, output.look()))?;
        }
    }
    out.flush()?;
    drop(out);
    verdict(cells, output)
}

/// Writes a document.
pub(crate) fn json(out: &mut impl Write, document: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, document).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

/// Whether anything was measured and passes the checks asked for.
pub(crate) fn verdict(cells: &[CellSummary], output: &Output) -> Result<(), Failure> {
    if cells.iter().all(|cell| cell.raw.n == 0) {
        return Err(Failure::trouble("nothing could be measured; the lines above say why"));
    }
    limits(cells, &output.fail_if)
}

/// Whether the figures pass the checks asked for. Tracing has its price, so traced cells are not asked.
pub(crate) fn limits(cells: &[CellSummary], fail_if: &[FailIf]) -> Result<(), Failure> {
    let untraced: Vec<CellSummary> =
        cells.iter().filter(|cell| cell.cell.conditions.traced != Some(true)).cloned().collect();
    let failures: Vec<_> = fail_if.iter().flat_map(|check| check.failures(&untraced)).collect();
    for failure in &failures {
        say!("check failed: {failure}");
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure::Check) }
}

fn text(meta: &Meta, note: &Note, cells: &[CellSummary], look: Look) -> String {
    let mut out = match meta.plan.experiment.as_str() {
        "rizzo" => report::rizzo::report(cells, look),
        "oneill" => report::oneill::report(cells, look),
        "periodic" => report::periodic::report(cells, look),
        _ => report::table::ranking(cells, look),
    };
    out.push('\n');
    out += &report::notes::convention(look);
    out += &report::notes::remarks(note, cells, look);
    out += &report::notes::unavailable(meta, note, look);
    out += &report::notes::privileges(meta, look);
    out += &report::late::text(late_sleeps(&meta.plan, note).as_ref(), look);
    out
}
