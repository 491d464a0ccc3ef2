//! Labels of cells, in words.

use oversleep_recording::plan::{Cell, Pattern};

/// Returns a cell's request in short form.
pub(super) fn request(cell: &Cell) -> String {
    match cell.pattern {
        Pattern::Fixed { requested } => format!("{requested:#}"),
        Pattern::Periodic { period } => format!("every {period:#}"),
        Pattern::Random { from, to } => format!("{from:#}..{to:#}"),
        Pattern::Aligned { to } => format!("next {to:#}"),
    }
}

/// Returns a cell's request in seconds, the unit of Prometheus; `varied` where it changes from sleep to sleep.
pub(super) fn request_seconds(cell: &Cell) -> String {
    cell.pattern.requested().map_or_else(|| "varied".to_owned(), |requested| format!("{}", requested.as_f64() / 1e9))
}

/// Returns a cell's method, request and conditions, as they were asked for.
pub(super) fn label(cell: &Cell) -> String {
    format!("{} {} {}", cell.method, request(cell), cell.conditions.name(None))
}

/// Returns the cell's number and label as one word, for formats that allow no spaces.
pub(super) fn word(cell: &Cell) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || ".:-_".contains(letter) { letter } else { '_' };
    format!("{}:{}", cell.id, label(cell).replace('µ', "u").chars().map(plain).collect::<String>())
}
