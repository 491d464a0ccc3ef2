//! Causes of late sleeps, for the live view of a recording that grows.

use crate::analysis::attribution::name_late;
use crate::report::live::Live;
use oversleep_recording::{Note, Sink};

/// Adds a note to the live view, and names the causes of its late sleeps from what was recorded around them.
pub fn enter_note(live: &mut Live, note: &Note) {
    let named: Vec<_> = note.late_sleeps.iter().map(|late| name_late(&live.meta().plan, live.notes(), late)).collect();
    live.note(note);
    for late in named {
        live.name(late.cell, late.thread, late.sequence, &late.cause);
    }
}
