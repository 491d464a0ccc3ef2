//! Findings in the one JSON shape: beside each cell's figures, and the machine's at the top.

use crate::analysis::CellSummary;
use crate::analysis::patterns::{CellDiagnosis, Diagnosis};
use crate::report::json;
use oversleep_recording::{Meta, Note};
use serde_json::{Value, json};

/// The figures' document with `findings` and `budget` in every cell, and `findings` and `undecided` of the machine.
pub fn document(meta: &Meta, note: &Note, cells: &[CellSummary], diagnosis: &Diagnosis) -> Value {
    let mut document = json::document(meta, note, cells);
    if let Some(objects) = document["cells"].as_array_mut() {
        for (object, summary) in objects.iter_mut().zip(cells) {
            let found = diagnosis.cells.iter().find(|found| found.cell == summary.cell.id);
            object["findings"] = found.map_or_else(|| json!([]), findings);
            object["budget"] = found.map_or(Value::Null, |found| json!(found.budget));
        }
    }
    document["findings"] = json!(diagnosis.machine);
    document["undecided"] = json!(diagnosis.undecided);
    document
}

fn findings(found: &CellDiagnosis) -> Value {
    json!(found.findings)
}
