//! The Arrow `PyCapsule` interface: exports and imports tables without copying a column.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>: a capsule named `arrow_array_stream`
//! holds an `ArrowArrayStream`, which the consumer moves out; one that is not consumed is released with its capsule.
#![allow(unsafe_code)] // one call: taking a stream out of a capsule

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

/// Returns a stream of one batch that shares the batch's memory.
pub(crate) fn stream<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
}

/// Returns the batch's schema.
pub(crate) fn schema<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(batch.schema_ref().as_ref()).map_err(|error| trouble(&error))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Returns the schema and the batches of an object with `__arrow_c_stream__`.
pub(crate) fn read_stream(object: &Bound<'_, PyAny>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule =
        capsule.cast::<PyCapsule>().map_err(|_| PyValueError::new_err("__arrow_c_stream__ gave no capsule"))?;
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a valid ArrowArrayStream (the interface's promise); it is moved out of, and
    // the capsule, which lives until the end of this function, is left with a released one.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) };
    let reader = reader.map_err(|error| foreign(&error))?;
    let schema = arrow_array::RecordBatchReader::schema(&reader);
    let batches = reader.collect::<Result<Vec<_>, _>>().map_err(|error| foreign(&error))?;
    Ok((schema, batches))
}

pub(crate) fn trouble(error: &ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

fn foreign(error: &ArrowError) -> PyErr {
    PyValueError::new_err(format!("the Arrow stream cannot be read: {error}"))
}
