//! Causes of late sleeps, for the live view of a recording that grows.

use oversleep_analysis::attribution::name_late;
use oversleep_recording::{Note, Sink};
use oversleep_report::live::Live;

/// Adds a note to the live view, and names the causes of its late sleeps from what was recorded around them.
pub fn enter_note(live: &mut Live, note: &Note) {
    let named: Vec<_> = note.late_sleeps.iter().map(|late| name_late(&live.meta().plan, live.notes(), late)).collect();
    live.note(note);
    for late in named {
        live.name(late.cell, late.thread, late.sequence, &late.cause);
    }
}
