//! Results on standard output.

use crate::args::{LateArgs, Output};
use crate::failure::Failure;
use crate::files::Kept;
use crate::late::Deeds;
use crate::say::say;
use oversleep_lab::analysis::patterns::Diagnosis;
use oversleep_lab::analysis::{CellSummary, Summariser, document};
use oversleep_lab::capture::late::Watch;
use oversleep_lab::capture::sleeps::Stop;
use oversleep_lab::capture::trace::Tier;
use oversleep_lab::export;
use oversleep_lab::report::{self, Look};
use oversleep_recording::plan::Plan;
use oversleep_recording::{Mark, Meta, Note, Recording, Sample, Sink, Wakes};
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
    watch: Watch,
    deeds: Deeds,
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
        let rule = args.rule(best)?;
        Some(Self { watch: Watch::new(rule, plan), deeds: Deeds::new(args, stop, beside), exact: best.is_none() })
    }

    /// The samples that belong to the run, and what is known of the late ones among them.
    fn look<'b>(&mut self, batch: &'b [Sample]) -> (&'b [Sample], Vec<Mark>) {
        let mut marks = Vec::new();
        if !self.exact {
            let found = self.watch.samples(batch);
            marks.extend(found.into_iter().map(|finding| self.deeds.act(finding)));
            return (batch, marks);
        }
        for (at, sample) in batch.iter().enumerate() {
            if self.watch.stopped() {
                return (&batch[..at], marks);
            }
            let found = self.watch.samples(std::slice::from_ref(sample));
            marks.extend(found.into_iter().map(|finding| self.deeds.act(finding)));
        }
        (batch, marks)
    }
}

impl All<'_> {
    /// Looks for late sleeps and enters what is known of them. Gives the samples that belong to the run.
    fn look<'b>(&mut self, batch: &'b [Sample]) -> &'b [Sample] {
        let Some(late) = &mut self.late else { return batch };
        let (batch, marks) = late.look(batch);
        if !marks.is_empty() {
            self.note(&Note { marks, ..Note::default() });
        }
        batch
    }

    /// Ends the watch for late sleeps, if there was one, and enters its account.
    pub(crate) fn finish_late(&mut self) {
        if let Some(late) = self.late.take() {
            let account = late.watch.finish();
            late.deeds.finish();
            self.note(&Note { late: Some(account), ..Note::default() });
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
        if let Some(late) = &mut self.late {
            late.watch.learn(note);
        }
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
    let failures: Vec<_> = output.fail_if.iter().flat_map(|check| check.failures(cells)).collect();
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
    let method = |mark: &Mark| {
        let cell = meta.plan.cells.iter().find(|cell| cell.id == mark.cell);
        cell.map_or_else(String::new, |cell| cell.method.clone())
    };
    out += &report::late::text(note, method, look);
    out
}
