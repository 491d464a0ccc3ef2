//! The function behind `oversleep.explain`.

use crate::arguments::wrong;
use crate::recording;
use oversleep_lab::report::Screen;
use oversleep_lab::session::{Explainer, Explanation};
use oversleep_py_common::signals::computed;
use oversleep_recording::Sink;
use oversleep_recording::text::on_terminal;
use pyo3::prelude::*;

/// Returns the causes found in a recording as a document (JSON) and as text; `oversleep.explain` makes objects of it.
#[pyfunction]
pub(crate) fn explain(source: &Bound<'_, PyAny>) -> PyResult<(String, String)> {
    let py = source.py();
    let shared = recording::any(source)?.unbind();
    // The recording is returned too: dropped in the other thread, it would stay until that had the interpreter's lock.
    let (found, _shared) = computed(py, move || {
        let inner = &shared.get().inner;
        let mut explainer = Explainer::new(&inner.meta);
        explainer.samples(&inner.samples);
        explainer.note(&inner.note);
        let text = |said: &Explanation| on_terminal(&said.text(Screen::PLAIN)).into_owned();
        let found = explainer.finish().map(|said| (said.json(), text(&said)));
        (found, shared)
    })?;
    found.ok_or_else(|| wrong("the recording has no samples"))
}
