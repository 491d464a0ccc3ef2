//! The list of recordings in the state folder.

use super::style::{self, Screen, align, table_text};
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
    let mut table = style::table(&["recording", "size", "experiment", "methods"], screen);
    for found in &recordings.recordings {
        let file = Path::new(&found.file).file_name().map_or(found.file.clone(), |name| name.to_string_lossy().into());
        let experiment = found.experiment.as_deref().map_or("not readable", experiment_name);
        table.add_row([file, size(found.bytes), experiment.to_owned(), methods(found)]);
    }
    align(&mut table, &[0, 2, 3]);
    format!(
        "{}\n{}",
        table_text(&table),
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
