//! The list of recordings in the state folder.

use super::columns::{self, Column};
use super::style::Screen;
use oversleep_recording::document::{RecordingFacts, Recordings};
use oversleep_recording::plan::experiment_name;
use std::path::Path;

/// Number of methods that are named; the others are counted.
const NAMED: usize = 3;

/// Returns one line per recording, newest first, and the folder.
pub fn text(recordings: &Recordings, screen: Screen) -> String {
    let folder = &recordings.folder;
    if recordings.recordings.is_empty() {
        return format!("no recordings in {folder}\n");
    }
    let each =
        |of: &dyn Fn(&RecordingFacts) -> String| -> Vec<String> { recordings.recordings.iter().map(of).collect() };
    let file = |found: &RecordingFacts| {
        Path::new(&found.file).file_name().map_or(found.file.clone(), |name| name.to_string_lossy().into())
    };
    let experiment =
        |found: &RecordingFacts| found.experiment.as_deref().map_or("not readable", experiment_name).to_owned();
    let columns = [
        Column::words("recording", each(&file)),
        Column::figures("size", each(&|found| size(found.bytes))).expendable(0),
        Column::words("experiment", each(&experiment)),
        Column::words("methods", each(&methods)).breakable(),
    ];
    format!(
        "{}\n{}",
        columns::fitted(&columns, screen),
        screen.lines(0, &screen.aside(&format!("in {folder}; the newest is the default FILE")))
    )
}

fn methods(found: &RecordingFacts) -> String {
    let named = found.methods.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match found.methods.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
