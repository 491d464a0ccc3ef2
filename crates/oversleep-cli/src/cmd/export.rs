//! `export`: writes a recording for other programs.

use super::report;
use crate::args::{Checks, DocumentForm, ExportArgs, FormatName, OutputFormat, PARQUET, is_parquet};
use crate::atomic_file::AtomicFile;
use crate::failure::Failure;
use crate::input::{read_into, refuse_overwriting, refuse_replacing};
use crate::say::{notice, say};
use clap::ColorChoice;
use oversleep_lab::export::{ExportFormat, Exporter};
use oversleep_lab::session::{Input, is_standard, last_recordings};
use oversleep_recording::file::{WriteError, Writer};
use oversleep_recording::plan::{Cell, Kind};
use oversleep_recording::{Meta, Note, Recording, Sample, Sink};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

pub(crate) fn run(args: &ExportArgs) -> Result<(), Failure> {
    if args.out.as_deref().is_some_and(is_standard) {
        return Err(Failure::usage(
            "--out -: without --out, the samples go to standard output already (./- is a file of that name)",
        ));
    }
    if args.json {
        return report::figures(
            &args.input.input(),
            OutputFormat { json: true, color: ColorChoice::Never },
            &Checks::default(),
        )
        .map(drop);
    }
    let by_ending = args.out.as_deref().map(|out| FormatName::of_ending(out).ok_or(out)).transpose();
    let format = match (args.format, by_ending) {
        (Some(format), _) => format,
        (None, _) if args.csv => FormatName::Csv,
        (None, Ok(format)) => format.unwrap_or(FormatName::Csv),
        (None, Err(out)) => {
            return Err(without_form(out));
        }
    };
    let input = located(args)?;
    refuse_overwriting(args.out.as_deref(), input.path.as_deref())?;
    refuse_replacing(args.out.as_deref(), args.force)?;
    match (format.form(), &args.out) {
        (Some(form), out) => samples_as(form, &input, out.as_deref()),
        (None, Some(out)) => recording(&input, out),
        (None, None) => Err(Failure::usage("a recording is a file of its own; name it with --out")),
    }
}

/// Returns the recording named, or else the last one of sleeps in the state folder, with the path of its file.
fn located(args: &ExportArgs) -> Result<Input, Failure> {
    let mut input = args.input.input();
    if input.path.is_none() {
        let last = last_recordings(1, &notice)?.remove(0);
        say!("the last recording: {}", last.display());
        input.path = Some(last);
    }
    Ok(input.located(&notice)?)
}

/// Returns the error of a file whose ending names no form that is exported; it says what makes a file of that ending.
fn without_form(out: &Path) -> Failure {
    let instead = match out.extension().and_then(|ending| ending.to_str()) {
        _ if DocumentForm::of_ending(out).is_some() => {
            format!("`oversleep report -o {}` makes that file", out.display())
        }
        Some("json") => {
            "`oversleep export --json > FILE.json` writes the figures, and .jsonl has an object per sleep".to_owned()
        }
        _ if is_parquet(out) => PARQUET.to_owned(),
        _ => "end it in .csv, .jsonl, .arrows, .hlog, .hgrm, .prom or .pftrace, or add --format".to_owned(),
    };
    Failure::usage(format!("{} has no ending that names a form; {instead}", out.display()))
}

fn samples_as(form: ExportFormat, input: &Input, out: Option<&Path>) -> Result<(), Failure> {
    let (file, opened) = out.map(AtomicFile::create).transpose()?.unzip();
    let writer: Box<dyn Write> = match opened {
        Some(opened) => Box::new(BufWriter::new(opened)),
        None if form == ExportFormat::Perfetto && io::stdout().is_terminal() => {
            return Err(Failure::usage("a trace is not text; name a file with --out, or pipe it"));
        }
        None => Box::new(BufWriter::new(io::stdout())),
    };
    let (mut writer, mut exporting) = (Some(writer), None);
    let meta = read_into(input, None, |meta| {
        let out = writer.take().unwrap_or_else(|| Box::new(io::sink()));
        exporting.insert(Exporting { exporter: form.exporter(meta, out), distributions: 0, samples: 0 })
    })?;
    if meta.plan.kind == Kind::Clocks {
        say!("a survey of clocks has no samples; `oversleep export --json FILE` writes what it found");
    }
    let Some(Exporting { exporter, distributions, samples }) = exporting else { return Ok(()) };
    if distributions > 0 && samples == 0 {
        return Err(Failure::trouble(
            "nothing to export: the file has counts in buckets and no samples; `oversleep export --json FILE` writes \
             their figures",
        ));
    }
    if samples == 0 && meta.plan.kind.has_sleeps() {
        return Err(Failure::trouble("nothing to export: the recording has no samples; `oversleep report` says why"));
    }
    let (Some(file), Some(out)) = (file, out) else { return Ok(exporter.finish()?) };
    exporter.finish().map_err(|error| file.refused(error))?;
    file.keep()?;
    say!("written: {}", out.display());
    Ok(())
}

/// An exporter, and counts of the distributions and samples it received.
struct Exporting<'a> {
    exporter: Box<dyn Exporter + 'a>,
    distributions: usize,
    samples: usize,
}

impl Sink for Exporting<'_> {
    fn samples(&mut self, batch: &[Sample]) {
        self.samples += batch.len();
        self.exporter.samples(batch);
    }

    fn cell(&mut self, cell: &Cell) {
        self.exporter.cell(cell);
    }

    fn note(&mut self, note: &Note) {
        self.distributions += note.distributions.len();
        self.exporter.note(note);
    }
}

/// Writes another program's file as a recording. All of it is read first: its cells are known only at its end.
fn recording(input: &Input, out: &Path) -> Result<(), Failure> {
    let mut whole = None;
    let meta: Meta = read_into(input, None, |meta| whole.insert(Recording::new(meta.clone())))?;
    let Some(whole) = whole else { return Ok(()) };
    if oversleep_recording::file::is_being_written(out) {
        return Err(Failure::trouble(WriteError::Busy { path: out.display().to_string() }));
    }
    let (file, opened) = AtomicFile::create(out)?;
    // The writer opens and locks the file itself.
    drop(opened);
    let refused = |error| match error {
        WriteError::Create { source, .. } | WriteError::Write { source, .. } => file.refused(source),
        error => Failure::trouble(error),
    };
    let mut writer = Writer::create(file.place(), &meta, true).map_err(refused)?;
    writer.note(&Note { end: None, ..whole.note.clone() });
    writer.samples(&whole.samples);
    writer.note(&Note { end: whole.note.end, ..Note::default() });
    writer.finish().map_err(refused)?;
    file.keep()?;
    say!("written: {}", out.display());
    Ok(())
}
