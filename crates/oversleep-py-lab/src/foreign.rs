//! Arrow tables, of oversleep or of other programs, as recordings.

use crate::arguments::wrong;
use crate::arrow;
use crate::table::NOTE;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch, downcast_dictionary_array};
use arrow_schema::{DataType, Schema};
use oversleep_lab::import::csv;
use oversleep_recording::Recording;
use oversleep_recording::file::{KEY, columns};
use pyo3::prelude::*;
use std::fmt::Write;

/// The columns that the CSV importer knows, each with the names that it may have in an Arrow table.
const WANTED: [(&str, &[&str]); 11] = [
    ("method", &["method"]),
    ("thread", &["thread"]),
    ("cpu", &["cpu", "cpu_end"]),
    ("load", &["load"]),
    ("requested_ns", &["requested_ns"]),
    ("start_ns", &["start_ns"]),
    ("end_ns", &["end_ns"]),
    ("start_mono_ns", &["start_mono_ns"]),
    ("end_mono_ns", &["end_mono_ns"]),
    ("start_real_ns", &["start_real_ns"]),
    ("end_real_ns", &["end_real_ns"]),
];

/// Returns a recording from any object with an Arrow stream. A table made from a recording gives the whole recording
/// again; another table needs the columns that CSV tables need (docs of `oversleep_lab::import::csv`).
pub(crate) fn read(object: &Bound<'_, PyAny>) -> PyResult<Recording> {
    let (schema, batches) = arrow::read_stream(object)?;
    if let Some(recording) = ours(&schema, &batches)? {
        return Ok(recording);
    }
    let text = text(&schema, &batches)?;
    csv::read(text.as_bytes(), "an Arrow table").map_err(|error| wrong(format!("the Arrow table: {error}")))
}

/// Returns the recording if the table was made from one: it still has the description in its metadata, though rows may
/// be missing and other columns may have been added.
fn ours(schema: &Schema, batches: &[RecordBatch]) -> PyResult<Option<Recording>> {
    let Some(meta) = schema.metadata().get(KEY) else { return Ok(None) };
    let Some(places) = columns::places(schema) else { return Ok(None) };
    let unreadable = |error: serde_json::Error| wrong(format!("the table's description cannot be read ({error})"));
    let mut recording = Recording::new(serde_json::from_str(meta).map_err(unreadable)?);
    if let Some(note) = schema.metadata().get(NOTE) {
        recording.note = serde_json::from_str(note).map_err(unreadable)?;
    }
    for batch in batches {
        let batch = batch.project(&places).map_err(|error| arrow::trouble(&error))?;
        recording.samples.extend(columns::samples(&batch));
    }
    Ok(Some(recording))
}

/// Returns the known columns as CSV, for the CSV importer.
fn text(schema: &Schema, batches: &[RecordBatch]) -> PyResult<String> {
    let found: Vec<(&str, usize)> = WANTED
        .iter()
        .filter_map(|(name, here)| here.iter().find_map(|here| schema.index_of(here).ok()).map(|index| (*name, index)))
        .collect();
    let mut out = found.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",") + "\n";
    for batch in batches {
        let cells =
            found.iter().map(|(name, at)| column(batch.column(*at).as_ref(), name)).collect::<PyResult<Vec<_>>>()?;
        for row in 0..batch.num_rows() {
            for (place, column) in cells.iter().enumerate() {
                // Writing to a String cannot fail.
                let _ = write!(out, "{}{}", if place > 0 { "," } else { "" }, column[row]);
            }
            out.push('\n');
        }
    }
    Ok(out)
}

macro_rules! numbers {
    ($array:expr, $kind:ty) => {{
        let array = $array.as_primitive::<$kind>();
        Ok((0..array.len())
            .map(|row| if array.is_valid(row) { array.value(row).to_string() } else { String::new() })
            .collect())
    }};
}

/// Returns a column's values as text; null is an empty text.
fn column(array: &dyn Array, name: &str) -> PyResult<Vec<String>> {
    match array.data_type() {
        DataType::Int8 => numbers!(array, Int8Type),
        DataType::Int16 => numbers!(array, Int16Type),
        DataType::Int32 => numbers!(array, Int32Type),
        DataType::Int64 => numbers!(array, Int64Type),
        DataType::UInt8 => numbers!(array, UInt8Type),
        DataType::UInt16 => numbers!(array, UInt16Type),
        DataType::UInt32 => numbers!(array, UInt32Type),
        DataType::UInt64 => numbers!(array, UInt64Type),
        DataType::Utf8 => Ok(array.as_string::<i32>().iter().map(quoted).collect()),
        DataType::LargeUtf8 => Ok(array.as_string::<i64>().iter().map(quoted).collect()),
        DataType::Utf8View => Ok(array.as_string_view().iter().map(quoted).collect()),
        DataType::Dictionary(..) => dictionary(array, name),
        other => Err(wrong(format!("column {name} is {other}; whole numbers are needed, and text for method"))),
    }
}

fn quoted(value: Option<&str>) -> String {
    let value = value.unwrap_or_default();
    if value.contains([',', '"', '\n', '\r', '#']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}

fn dictionary(array: &dyn Array, name: &str) -> PyResult<Vec<String>> {
    downcast_dictionary_array!(
        array => {
            let values = column(array.values().as_ref(), name)?;
            let value_of = |key: Option<usize>| key.and_then(|key| values.get(key).cloned()).unwrap_or_default();
            Ok(array.keys_iter().map(value_of).collect())
        }
        other => Err(wrong(format!("column {name} is {other}; whole numbers are needed, and text for method"))),
    )
}
