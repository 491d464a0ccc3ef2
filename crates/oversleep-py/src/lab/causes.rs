//! Why sleeps were late.

use super::recording;
use super::words::wrong;
use crate::attentive::computed;
use oversleep_lab::analysis::document::checkup;
use oversleep_lab::analysis::patterns::diagnose;
use oversleep_lab::report::{Look, findings};
use pyo3::prelude::*;

/// The diagnosis of a recording as a document and as text; `oversleep.explain` makes objects of it.
#[pyfunction]
pub(crate) fn explain<'py>(source: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, String)> {
    let py = source.py();
    let bound = recording::any(source)?;
    if bound.get().inner.samples.is_empty() {
        return Err(wrong("the recording has no samples"));
    }
    let shared = bound.unbind();
    // The recording comes back too: let go of in the other thread, it would stay until that one had the interpreter's lock.
    let (document, text, _shared) = computed(py, move || {
        let recording = shared.get();
        let inner = &recording.inner;
        let diagnosis = diagnose(inner);
        let document = checkup(&inner.meta, &inner.note, recording.summary(), &diagnosis);
        let text = findings::show(&inner.meta.plan, &diagnosis, Look::PLAIN);
        (document, text, shared)
    })?;
    Ok((super::document::objects(py, &document)?, text))
}
