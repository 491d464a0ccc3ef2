//! `explain`: what a recording's samples say of why sleeps were late.

use crate::args::FileArgs;
use crate::cmd::report;
use crate::failure::Failure;
use oversleep_lab::analysis::Summariser;
use oversleep_lab::analysis::diagnose::diagnose;
use oversleep_lab::recording::{Recording, Sink};
use oversleep_lab::report::findings;
use oversleep_lab::source::import::csv;
use oversleep_lab::source::stalls;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    let recording = read(args)?;
    if recording.meta.plan.experiment == stalls::EXPERIMENT {
        // Stalls are explained one by one where they are seen; the causes below are those of sleeps.
        return report::run(args);
    }
    if recording.samples.is_empty() {
        return Err(Failure::trouble("the recording has no samples"));
    }
    let diagnosis = diagnose(&recording);
    let mut out = anstream::stdout().lock();
    if args.output.json {
        let mut summary = Summariser::new(&recording.meta);
        summary.samples(&recording.samples);
        summary.note(&recording.note);
        let document = findings::document(&recording.meta, &recording.note, &summary.finish(), &diagnosis);
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", findings::show(&recording.meta.plan, &diagnosis, args.output.look()))?;
    }
    out.flush()?;
    Ok(())
}

/// A recording of ours, or a table of another program's.
fn read(args: &FileArgs) -> Result<Recording, Failure> {
    if is_table(&args.file).map_err(|error| Failure::trouble(format!("{}: {error}", args.file.display())))? {
        let file = BufReader::new(File::open(&args.file)?);
        let name = args.file.display().to_string();
        return csv::read(file, &name).map_err(|error| Failure::trouble(format!("{name}: {error}")));
    }
    let mut recording = None;
    report::pour(args, |meta| recording.insert(Recording::new(meta.clone())))?;
    recording.ok_or_else(|| Failure::trouble("the recording has no head"))
}

/// Recordings of ours begin with four bytes of ones (Arrow's continuation mark); tables begin with text.
fn is_table(path: &Path) -> io::Result<bool> {
    let mut start = [0; 4];
    let read = File::open(path)?.read(&mut start)?;
    Ok(read > 0 && start[..read] != [0xff; 4][..read])
}
