//! The list of recordings in the state folder.

use super::columns::{self, Column};
use super::header::ENDLESS;
use super::requests::Requests;
use super::style::Screen;
use oversleep_recording::document::{RecordingFacts, Recordings};
use oversleep_recording::plan::experiment_name;
use std::path::Path;

/// Number of methods and conditions that are named; the others are counted.
const NAMED: usize = 3;

/// Returns one line per recording, newest first, and the folder, in which the newest `kept` stay.
pub fn text(recordings: &Recordings, kept: usize, screen: Screen) -> String {
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
        Column::words("experiment", each(&experiment)).expendable(2),
        Column::figures("planned", each(&sleeps)).called("sleeps planned").expendable(1),
        Column::words("asked", each(&asked)).expendable(4),
        Column::words("conditions", each(&|found| some(&found.conditions))).expendable(3),
        Column::words("methods", each(&|found| some(&found.methods))).breakable(),
    ];
    format!(
        "{}\n{}",
        columns::fitted(&columns, screen),
        screen.lines(0, &screen.aside(&format!(
            "in {folder}; the newest is the default FILE, and of those without a name (-o) the newest {kept} are kept: copy others"
        )))
    )
}

/// Returns the number of sleeps planned; a run *until it is stopped* has none.
fn sleeps(found: &RecordingFacts) -> String {
    if (1..ENDLESS).contains(&found.planned_sleeps) { found.planned_sleeps.to_string() } else { "–".to_owned() }
}

/// Returns the requests, or the shortest and the longest of many.
fn asked(found: &RecordingFacts) -> String {
    let words = Requests::of(found.requests.iter().copied());
    let all: Vec<String> = found.requests.iter().map(|request| words.text(*request)).collect();
    match &all[..] {
        [first, .., last] if all.len() > NAMED => format!("{first} … {last} ({})", all.len()),
        _ => all.join(", "),
    }
}

/// Returns the first names, and how many there are besides.
fn some(names: &[String]) -> String {
    let first = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
