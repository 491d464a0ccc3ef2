//! Stalls as JSON: the document that every experiment has, and beside it what only this one knows.

use crate::analysis::CellSummary;
use crate::analysis::document::measured;
use oversleep_recording::document::Measured;
use oversleep_recording::document::stalls::Stalls;
use oversleep_recording::{Meta, Note};

/// The document.
pub fn document(meta: &Meta, note: &Note, stalls: &Stalls, cells: &[CellSummary]) -> Measured {
    let mut document = measured(meta, note, cells);
    document.stalls = Some(stalls.clone());
    document
}
