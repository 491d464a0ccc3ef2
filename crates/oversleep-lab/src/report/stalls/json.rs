//! Stalls as JSON: the document that every experiment has, and beside it what only this one knows.

use super::{histogram, longest};
use crate::analysis::CellSummary;
use crate::analysis::document::measured;
use oversleep_recording::document::Measured;
use oversleep_recording::{Meta, Note};
use serde_json::{Value, json};

/// The document.
pub fn document(meta: &Meta, note: &Note, cells: &[CellSummary]) -> Measured {
    let edges = histogram::edges();
    let histograms: Vec<Value> = note
        .watched
        .iter()
        .filter_map(|account| Some((account.cpu, cells.iter().find(|cell| cell.cell.id == account.cell)?)))
        .map(|(cpu, cell)| json!({"cpu": cpu, "counts": cell.values.counts(&edges)}))
        .collect();
    let mut document = measured(meta, note, cells);
    document.stalls = Some(json!({
        "processors": note.watched,
        "took": note.took,
        // One count more than edges: below the first, between each two, at or above the last.
        "histogram": {"edges_ns": edges, "processors": histograms},
        "worst": longest(note),
    }));
    document
}
