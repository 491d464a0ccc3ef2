//! `list`: shows sleep methods, timers of runtimes, simulated kernels or recordings.

use crate::args::{ListArgs, Listed, OutputFormat};
use crate::failure::Failure;
use crate::show::{json, print};
use oversleep_lab::report::{self, kernels, methods};
use oversleep_lab::session::{Archive, Archived, MOST_FILES};
use oversleep_os::method;
use oversleep_recording::catalog::{ROWS, System};
use oversleep_recording::document::{Methods, RecordingFacts, Recordings, RuntimeApis};
use oversleep_recording::runtimes::APIS;
use oversleep_sim::{document, preset, preset_names};
use std::io::Write;

pub(crate) fn run(args: &ListArgs) -> Result<(), Failure> {
    if args.all && args.what != Listed::Methods {
        return Err(Failure::usage("--all is for `oversleep list methods`; the others are not listed by system"));
    }
    match args.what {
        Listed::Methods => {}
        Listed::Runtimes => return runtimes(args),
        Listed::Presets => return presets(args.shown),
        Listed::Recordings => return recordings(args.shown),
    }
    let here: Vec<_> = method::entries().map(|entry| entry.id).collect();
    let shown: Vec<_> = ROWS
        .iter()
        .filter(|row| {
            args.all || here.contains(&row.id) || System::HERE.is_some_and(|here| row.systems.contains(&here))
        })
        .map(|row| (row, here.contains(&row.id)))
        .collect();
    let mut out = anstream::stdout().lock();
    if args.shown.json {
        json(&mut out, &Methods::from_rows(&shown))?;
    } else {
        write!(out, "{}", methods::text(&shown, args.shown.screen()))?;
    }
    Ok(out.flush()?)
}

/// Lists the timers of language runtimes. It does not find out which are installed; `runtimes` does.
fn runtimes(args: &ListArgs) -> Result<(), Failure> {
    let found = RuntimeApis::from_rows(APIS);
    let mut out = anstream::stdout().lock();
    if args.shown.json {
        json(&mut out, &found)?;
    } else {
        write!(out, "{}", methods::runtimes(&found, args.shown.screen()))?;
    }
    Ok(out.flush()?)
}

/// Shows the presets' names and titles, and how many of their numbers come from memory or a fit; as JSON, every number
/// with its source.
fn presets(shown: OutputFormat) -> Result<(), Failure> {
    let presets: Vec<_> = preset_names().map(preset).collect::<Result<_, _>>().map_err(Failure::trouble)?;
    let document = document::presets(&presets);
    let mut out = anstream::stdout().lock();
    if shown.json {
        json(&mut out, &document)?;
    } else {
        write!(out, "{}", kernels::presets(&document, shown.screen()))?;
    }
    Ok(out.flush()?)
}

/// Lists recordings, the newest first.
fn recordings(shown: OutputFormat) -> Result<(), Failure> {
    let archive = Archive::of_user().ok_or_else(|| Failure::trouble("no home folder is known"))?;
    let folder = archive.folder().display().to_string();
    let found = archive.recordings().map_err(|error| Failure::trouble(format!("cannot read {folder}: {error}")))?;
    let recordings = Recordings { folder, recordings: found.iter().map(facts).collect() };
    if shown.json {
        return json(&mut anstream::stdout().lock(), &recordings);
    }
    print(Err(report::recordings::text(&recordings, MOST_FILES, shown.screen())))
}

/// Returns what a recording's head says; only path and size if the head cannot be read.
fn facts(found: &Archived) -> RecordingFacts {
    RecordingFacts::new(&found.path.display().to_string(), found.bytes, found.meta().as_ref())
}
