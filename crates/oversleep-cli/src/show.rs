//! Results on standard output.

use crate::args::Output;
use crate::failure::Failure;
use crate::files::Kept;
use crate::say::say;
use oversleep_lab::analysis::diagnose::Diagnosis;
use oversleep_lab::analysis::{CellSummary, Summariser};
use oversleep_lab::recording::{Meta, Note, Recording, Sample, Sink, Wakes};
use oversleep_lab::report::{self, Look};
use std::io::{self, BufWriter, Write};

/// Every sample as CSV on standard output.
pub(crate) fn csv(meta: &Meta) -> report::csv::Csv<BufWriter<io::Stdout>> {
    report::csv::Csv::new(meta, BufWriter::new(io::stdout()))
}

/// Everything that a run's samples go to.
pub(crate) struct All<'a> {
    pub(crate) kept: Kept,
    pub(crate) summary: Summariser,
    pub(crate) csv: Option<report::csv::Csv<BufWriter<io::Stdout>>>,
    pub(crate) recording: Option<Recording>,
    pub(crate) lines: Option<&'a mut dyn Sink>,
}

impl Sink for All<'_> {
    fn samples(&mut self, batch: &[Sample]) {
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
        self.kept.wakes(wakes);
        self.summary.wakes(wakes);
        // The others want every sample written out.
        let others = self.csv.is_some() || self.recording.is_some() || self.lines.is_some();
        let samples: Vec<_> = if others { wakes.samples().collect() } else { Vec::new() };
        if let Some(csv) = &mut self.csv {
            csv.samples(&samples);
        }
        if let Some(recording) = &mut self.recording {
            recording.samples(&samples);
        }
        if let Some(lines) = &mut self.lines {
            lines.samples(&samples);
        }
    }

    fn note(&mut self, note: &Note) {
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
        let document = match diagnosis {
            Some(diagnosis) => report::findings::document(meta, note, cells, diagnosis),
            None => report::json::document(meta, note, cells),
        };
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
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
    out
}
