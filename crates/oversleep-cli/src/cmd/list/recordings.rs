//! `list recordings`: the recordings in the user's archive.

use crate::args::OutputFormat;
use crate::failure::Failure;
use crate::show::{json, print};
use oversleep_lab::report;
use oversleep_lab::session::{Archive, Archived, MOST_FILES};
use oversleep_recording::document::{RecordingFacts, Recordings};

/// Lists recordings, the newest first.
pub(super) fn list(shown: OutputFormat) -> Result<(), Failure> {
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
