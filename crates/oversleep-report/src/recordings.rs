//! The list of recordings in the state folder.

use super::columns::{self, Column};
use super::header::ENDLESS;
use super::requests::Requests;
use super::style::Screen;
use oversleep_recording::document::{RecordingFacts, Recordings};
use oversleep_recording::plan::Kind;
use std::path::Path;

/// Number of methods and conditions that are named; the others are counted.
const NAMED: usize = 3;

/// Width to which conditions are shortened.
const SHORT: usize = 24;

/// Returns one line per recording, newest first, and the folder, in which the newest `kept` stay.
pub fn text(recordings: &Recordings, kept: usize, screen: Screen) -> String {
    let folder = &recordings.folder;
    if recordings.recordings.is_empty() {
        return format!("no recordings in {folder}\n");
    }
    let whole = columns_of(recordings, &first_names);
    let columns = if columns::all_fit(&whole, screen) { whole } else { columns_of(recordings, &first_name) };
    format!(
        "{}\n{}",
        columns::fitted(&columns, screen),
        screen.lines(0, &screen.aside(&format!(
            "in {folder}; the newest is the default FILE, and of those without a name (-o) the newest {kept} are kept: copy others"
        )))
    )
}

/// Returns the columns; `conditions` returns those of a recording.
fn columns_of(recordings: &Recordings, conditions: &dyn Fn(&[String]) -> String) -> [Column; 7] {
    let values =
        |f: &dyn Fn(&RecordingFacts) -> String| -> Vec<String> { recordings.recordings.iter().map(f).collect() };
    let file = |found: &RecordingFacts| {
        Path::new(&found.file).file_name().map_or(found.file.clone(), |name| name.to_string_lossy().into())
    };
    let kind = |found: &RecordingFacts| found.kind.map_or("not readable", Kind::name).to_owned();
    [
        Column::words("recording", values(&file)),
        Column::figures("size", values(&|found| size(found.bytes))).expendable(0),
        Column::words("kind", values(&kind)).expendable(2),
        Column::figures("planned", values(&sleeps)).called("sleeps planned").expendable(1),
        Column::words("asked", values(&asked)).expendable(4),
        Column::words("conditions", values(&|found| conditions(&found.conditions))).expendable(3),
        Column::words("methods", values(&|found| first_names(&found.methods))).breakable(),
    ]
}

/// Returns the number of sleeps planned; a run *until it is stopped* has none.
fn sleeps(found: &RecordingFacts) -> String {
    if (1..ENDLESS).contains(&found.planned_sleeps) { found.planned_sleeps.to_string() } else { "–".to_owned() }
}

/// Returns the requests, or the shortest and the longest of many.
fn asked(found: &RecordingFacts) -> String {
    let words = Requests::new(found.requests.iter().copied());
    let all: Vec<String> = found.requests.iter().map(|request| words.text(*request)).collect();
    match &all[..] {
        [first, .., last] if all.len() > NAMED => format!("{first} … {last} ({})", all.len()),
        _ => all.join(", "),
    }
}

/// Returns the first names, and how many there are besides.
fn first_names(names: &[String]) -> String {
    let first = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Returns the beginning of the first name, and how many there are besides.
fn first_name(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => columns::shortened(only, SHORT),
        [first, more @ ..] => {
            let others = format!(" and {} more", more.len());
            columns::shortened(first, SHORT - others.len()) + &others
        }
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::Pattern;
    use oversleep_sys::units::Nanos;

    #[test]
    fn conditions_are_shortened_before_they_are_left_out() {
        let found = |file: &str, conditions: &[&str]| RecordingFacts {
            file: format!("/state/oversleep-20261127T040150Z-{file}.arrows"),
            bytes: 54_000,
            started: None,
            kind: Some(Kind::Measure),
            methods: vec!["clock-nanosleep-abs".to_owned(), "nanosleep".to_owned()],
            requests: vec![Pattern::fixed(Nanos::MILLISECOND), Pattern::fixed(Nanos::from_millis(2))],
            conditions: conditions.iter().map(|name| (*name).to_owned()).collect(),
            planned_sleeps: 20,
        };
        let many = ["fifo 80, slack 1 ns, memory locked", "fifo 80, slack 50 µs, memory locked", "default"];
        let recordings = Recordings {
            folder: "/state".to_owned(),
            recordings: vec![found("2", &many), found("1", &["default"]), found("0", &many[..1])],
        };
        let lines = |width| text(&recordings, 20, Screen { width, colour: false });
        let wide = lines(240);
        assert!(
            wide.contains("  fifo 80, slack 1 ns, memory locked, fifo 80, slack 50 µs, memory locked, default  "),
            "{wide}"
        );
        let narrow = lines(120);
        for shown in ["  fifo 80, sla… and 2 more  ", "  default  ", "  fifo 80, slack 1 ns, me…  "] {
            assert!(narrow.contains(shown), "{narrow}");
        }
        assert!(narrow.lines().all(|line| line.chars().count() <= 120), "{narrow}");
    }
}
