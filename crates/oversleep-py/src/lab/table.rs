//! A recording's samples as one Arrow table: the columns of its file, then what everybody computes first.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int64Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use oversleep_recording::Recording;
use oversleep_recording::file::columns;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::collections::HashMap;
use std::sync::Arc;

/// Where the notes stand beside the file's own key, so that a table handed back tells all that the recording told.
pub(super) const NOTE: &str = "oversleep.note";

/// One batch, so that every column is one piece of memory: numpy, pandas and polars take it as it is.
pub(super) fn of(recording: &Recording) -> Result<RecordBatch, ArrowError> {
    let of_json = |error: serde_json::Error| ArrowError::JsonError(error.to_string());
    let head = serde_json::to_string(&recording.meta).map_err(of_json)?;
    let file = Arc::new(columns::schema(head));

    let describe = |field: Field, what: &str| {
        Arc::new(field.with_metadata(HashMap::from([("description".to_owned(), what.to_owned())])))
    };
    let methods = DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8));
    let mut fields: Vec<_> = file.fields().iter().cloned().collect();
    fields
        .push(describe(Field::new("oversleep_ns", DataType::Int64, false), "actual minus requested; negative: early"));
    fields.push(describe(Field::new("method", methods, false), "the cell's method"));
    let mut metadata = file.metadata().clone();
    metadata.insert(NOTE.to_owned(), serde_json::to_string(&recording.note).map_err(of_json)?);

    let mut arrays = columns::batch(&file, &recording.samples)?.columns().to_vec();
    arrays.push(oversleeps(recording));
    arrays.push(names(recording)?);
    RecordBatch::try_new(Arc::new(Schema::new_with_metadata(fields, metadata)), arrays)
}

fn oversleeps(recording: &Recording) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(recording.samples.iter().map(|sample| sample.oversleep().get())))
}

/// Each method's name once, and a number per sample. The last name is for samples of cells the plan lacks.
fn names(recording: &Recording) -> Result<ArrayRef, ArrowError> {
    let cells = &recording.meta.plan.cells;
    let mut distinct: Vec<&str> = Vec::new();
    let mut place = |name| {
        distinct.iter().position(|known| *known == name).unwrap_or_else(|| {
            distinct.push(name);
            distinct.len() - 1
        })
    };
    let of_cell: Vec<usize> = cells.iter().map(|cell| place(cell.method.as_str())).collect();
    let unknown = place("?");
    let of = |cell: u32| u32::try_from(of_cell.get(cell as usize).copied().unwrap_or(unknown)).unwrap_or(0);
    let keys = UInt32Array::from_iter_values(recording.samples.iter().map(|sample| of(sample.cell)));
    let values = Arc::new(StringArray::from(distinct));
    Ok(Arc::new(DictionaryArray::<UInt32Type>::try_new(keys, values)?))
}

/// A column of numbers as a list; `None` if there is no such column.
pub(super) fn list<'py>(py: Python<'py>, batch: &RecordBatch, name: &str) -> PyResult<Option<Bound<'py, PyList>>> {
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
