//! Why sleeps were late.

use super::recording;
use super::words::wrong;
use crate::attentive::detached;
use oversleep_lab::analysis::diagnose::diagnose;
use oversleep_lab::report::{Look, findings};
use pyo3::prelude::*;

/// The diagnosis of a recording as a document and as text; `oversleep.explain` makes objects of it.
#[pyfunction]
pub(crate) fn explain<'py>(source: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, String)> {
    let py = source.py();
    let bound = recording::any(source)?;
    let recording = bound.get();
    if recording.inner.samples.is_empty() {
        return Err(wrong("the recording has no samples"));
    }
    let (document, text) = detached(py, || {
        let inner = &recording.inner;
        let diagnosis = diagnose(inner);
        let document = findings::document(&inner.meta, &inner.note, recording.summary(), &diagnosis);
        (document, findings::show(&inner.meta.plan, &diagnosis, Look::PLAIN))
    })?;
    Ok((super::document::objects(py, &document)?, text))
}
