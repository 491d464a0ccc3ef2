//! Samples as JSON objects, one per line.

use super::rows::{RowFormat, Rows, SharedText};
use oversleep_recording::Sample;
use oversleep_recording::plan::{Cell, Conditions};
use oversleep_recording::table::{CELL_COLUMNS, ColumnKind, cell_values, load};
use std::io::{self, Write};

/// Writes samples as JSON lines, with the names of the CSV columns; unknown values are `null`.
pub type JsonLines<W> = Rows<W, JsonForm>;

/// Format of a row: one JSON object per line.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonForm;

impl RowFormat for JsonForm {
    fn head(&self) -> String {
        String::new()
    }

    fn shared(&self, cell: &Cell, periods: Option<u64>, obtained: Option<&Conditions>) -> SharedText {
        let values = cell_values(cell, periods, obtained);
        let pairs = CELL_COLUMNS.iter().zip(&values).map(|((name, kind), value)| match kind {
            _ if value.is_empty() => format!(",\"{name}\":null"),
            ColumnKind::Number | ColumnKind::Truth => format!(",\"{name}\":{value}"),
            ColumnKind::Text => format!(",\"{name}\":{}", text(value)),
        });
        SharedText {
            begin: format!("{{\"method\":{},\"thread\":", text(&cell.method)),
            middle: format!(",\"load\":{},\"clock\":\"{}\",\"sequence\":", load(cell, obtained), cell.clock.name()),
            end: format!("{}}}\n", pairs.collect::<String>()),
        }
    }

    fn row(&self, shared: &SharedText, sample: &Sample, out: &mut dyn Write) -> io::Result<()> {
        let SharedText { begin, middle, end } = shared;
        let Sample { thread, sequence, flags, .. } = sample;
        let null = || "null".to_owned();
        let cpu = sample.cpu().map_or_else(null, |cpu| cpu.to_string());
        let deadline = sample.deadline.map_or_else(null, |deadline| deadline.get().to_string());
        let (requested, start, ended) = (sample.requested.get(), sample.start.get(), sample.end.get());
        let (late, flags) = (sample.oversleep().get(), flags.0);
        write!(
            out,
            "{begin}{thread},\"cpu\":{cpu}{middle}{sequence},\"requested_ns\":{requested},\"deadline_ns\":{deadline},\
             \"start_ns\":{start},\"end_ns\":{ended},\"oversleep_ns\":{late},\"flags\":{flags}{end}"
        )
    }
}

fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}
