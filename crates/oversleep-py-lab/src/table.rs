//! A recording's samples as one Arrow table, with the columns of its file.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Schema};
use oversleep_recording::Recording;
use oversleep_recording::file::columns::{self, CellNames};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::Arc;

/// The metadata key of the notes, in addition to the file's own key. With both, a table can be made into a recording again.
pub(crate) const NOTE: &str = "oversleep.note";

/// Returns the samples as one batch, so that every column is one piece of memory, which numpy, pandas and polars use
/// without a copy.
pub(crate) fn one_batch(recording: &Recording) -> Result<RecordBatch, ArrowError> {
    let of_json = |error: serde_json::Error| ArrowError::JsonError(error.to_string());
    let head = serde_json::to_string(&recording.meta).map_err(of_json)?;
    let file = columns::schema(head);
    let mut metadata = file.metadata().clone();
    metadata.insert(NOTE.to_owned(), serde_json::to_string(&recording.note).map_err(of_json)?);
    let schema = Arc::new(Schema::new_with_metadata(file.fields().clone(), metadata));
    columns::batch(&schema, &CellNames::from_plan(&recording.meta.plan), &recording.samples)
}

/// Returns a column of numbers as a list; `None` if there is no such column or it has no numbers.
pub(crate) fn list<'py>(py: Python<'py>, batch: &RecordBatch, name: &str) -> PyResult<Option<Bound<'py, PyList>>> {
    let Some(column) = batch.column_by_name(name) else { return Ok(None) };
    let list = match column.data_type() {
        DataType::Int64 => PyList::new(py, column.as_primitive::<Int64Type>().iter().collect::<Vec<_>>()),
        DataType::UInt64 => PyList::new(py, column.as_primitive::<UInt64Type>().iter().collect::<Vec<_>>()),
        DataType::UInt32 => PyList::new(py, column.as_primitive::<UInt32Type>().iter().collect::<Vec<_>>()),
        DataType::UInt16 => PyList::new(py, column.as_primitive::<UInt16Type>().iter().collect::<Vec<_>>()),
        _ => return Ok(None),
    };
    list.map(Some)
}
