//! Stalls as JSON: the document that every experiment has, and beside it what only this one knows.

use crate::analysis::CellSummary;
use oversleep_recording::document::stalls::Stalls;
use oversleep_recording::{Meta, Note};
use serde_json::{Value, json};

/// The document.
pub fn document(meta: &Meta, note: &Note, stalls: &Stalls, cells: &[CellSummary]) -> Value {
    let mut document = super::super::json::document(meta, note, cells);
    document["stalls"] = json!(stalls);
    document
}
