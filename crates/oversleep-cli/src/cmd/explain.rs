//! `explain`: what a recording's samples say of why sleeps were late.
//!
//! The file is read once. Figures are of all samples; patterns are looked for in as many as fit (`recording::thin`).

use crate::args::FileArgs;
use crate::cmd::report;
use crate::failure::Failure;
use oversleep_lab::analysis::Summariser;
use oversleep_lab::analysis::diagnose::diagnose_thinned;
use oversleep_lab::analysis::overlay::overlay;
use oversleep_lab::analysis::witnesses::stand;
use oversleep_lab::recording::Meta;
use oversleep_lab::recording::thin::{Thinned, Thinner};
use oversleep_lab::report::{self as show, findings};
use oversleep_lab::source::import::csv;
use oversleep_lab::source::stalls;
use serde_json::json;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

pub(crate) fn run(args: &FileArgs) -> Result<(), Failure> {
    let (summary, samples) = read(args)?;
    let thinned = samples.finish();
    if thinned.first.meta.plan.experiment == stalls::EXPERIMENT {
        // Stalls are explained one by one where they are seen; the causes below are those of sleeps.
        return report::run(args);
    }
    if thinned.samples == 0 {
        return Err(Failure::trouble("the recording has no samples"));
    }
    let cells = summary.finish();
    let mut diagnosis = diagnose_thinned(&thinned, &cells);
    let Thinned { first, .. } = &thinned;
    let stand = stand(first, &mut diagnosis);
    let model = overlay(first, &diagnosis);
    let look = args.output.look();
    let mut out = anstream::stdout().lock();
    if args.output.json {
        let mut document = findings::document(&first.meta, &first.note, &cells, &diagnosis);
        show::witnesses::enter(&mut document, &first.meta.plan, &stand);
        document["looked_at"] = json!(thinned.looked());
        document["model"] = json!(model);
        serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        let (plan, system) = (&first.meta.plan, &first.meta.machine.system);
        write!(out, "{}", show::witnesses::show(plan, system, &stand, &diagnosis, look))?;
        write!(out, "{}", findings::show(&first.meta.plan, &diagnosis, look))?;
        write!(out, "{}", show::overlay::show(&model, look))?;
        write!(out, "{}", findings::looked(thinned.looked(), look))?;
    }
    out.flush()?;
    Ok(())
}

/// What keeps the samples as they pass.
type Kept = (Summariser, Thinner);

fn keep(meta: &Meta) -> Kept {
    (Summariser::new(meta), Thinner::new(meta))
}

/// A recording of ours, or a table of another program's.
fn read(args: &FileArgs) -> Result<Kept, Failure> {
    if is_table(&args.file).map_err(|error| Failure::trouble(format!("{}: {error}", args.file.display())))? {
        let file = BufReader::new(File::open(&args.file)?);
        let name = args.file.display().to_string();
        return csv::pour(file, &name, keep).map_err(|error| Failure::trouble(format!("{name}: {error}")));
    }
    let mut kept = None;
    report::pour(args, |meta| kept.insert(keep(meta)))?;
    kept.ok_or_else(|| Failure::trouble("the recording has no head"))
}

/// Recordings of ours begin with four bytes of ones (Arrow's continuation mark); tables begin with text.
fn is_table(path: &Path) -> io::Result<bool> {
    let mut start = [0; 4];
    let read = File::open(path)?.read(&mut start)?;
    Ok(read > 0 && start[..read] != [0xff; 4][..read])
}
