//! JSON documents as Python objects.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;

/// Returns a document as dicts, lists, numbers and None.
pub(crate) fn objects<'py>(py: Python<'py>, document: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(document).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    parsed(py, &text)
}

/// Parses a JSON document into dicts, lists, numbers and None.
pub(crate) fn parsed<'py>(py: Python<'py>, document: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (document,))
}
