//! Stalls as JSON: the document that every experiment has, and beside it what only this one knows.

use super::{histogram, longest};
use crate::analysis::CellSummary;
use oversleep_recording::{Meta, Note};
use serde_json::{Value, json};

/// The document.
pub fn document(meta: &Meta, note: &Note, cells: &[CellSummary]) -> Value {
    let edges = histogram::edges();
    let histograms: Vec<Value> = note
        .watched
        .iter()
        .filter_map(|account| Some((account.cpu, cells.iter().find(|cell| cell.cell.id == account.cell)?)))
        .map(|(cpu, cell)| json!({"cpu": cpu, "counts": cell.values.counts(&edges)}))
        .collect();
    let mut document = super::super::json::document(meta, note, cells);
    document["stalls"] = json!({
        "processors": note.watched,
        "took": note.took,
        // One count more than edges: below the first, between each two, at or above the last.
        "histogram": {"edges_ns": edges, "processors": histograms},
        "worst": longest(note),
    });
    document
}
