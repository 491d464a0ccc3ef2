//! Measurements of this machine: the functions behind `oversleep.measure` and `oversleep.methods`.

use crate::arguments::lasting;
use crate::document;
use crate::keywords::planned;
use crate::recording::Recording;
use oversleep_lab::capture::sleeps::{Observer, SleepRunProgress, Stop};
use oversleep_lab::session::Runner;
use oversleep_recording::catalog::ROWS;
use oversleep_sys::units::Nanos;
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

/// Carries out a plan and records every sleep. `oversleep.measure` documents the keywords.
#[pyfunction]
#[pyo3(signature = (experiment, time_limit, progress, keywords))]
pub(crate) fn measure(
    py: Python<'_>,
    experiment: Option<&str>,
    time_limit: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    keywords: &Bound<'_, PyDict>,
) -> PyResult<Recording> {
    let plan = planned(experiment, keywords)?;
    if let Some(watcher) = progress.as_ref().map(|watcher| watcher.bind(py)).filter(|watcher| !watcher.is_callable()) {
        let kind = watcher.get_type().name()?;
        return Err(PyTypeError::new_err(format!("progress takes a function of one dict, not {kind}")));
    }
    let stop = Stop::default();
    let time_limit = time_limit.map(|limit| lasting(limit, "time_limit")).transpose()?;
    let mut watcher = Watcher { stop: stop.clone(), progress, looked: None, raised: None };
    // A run that keeps no file has no notices.
    let results = py.detach(|| {
        let run = Runner { in_memory: true, stop, time_limit, ..Runner::new(TOOL, &|_| {}) };
        run.measure(plan, &mut watcher)
    });
    let results = results.map_err(|error| PyOSError::new_err(error.to_string()))?;
    let recording =
        Recording::new(results.recording.unwrap_or_else(|| oversleep_recording::Recording::new(results.meta)));
    match watcher.raised {
        None => Ok(recording),
        Some(raised) => {
            // The exception carries what was measured until then.
            raised.value(py).setattr("recording", recording)?;
            Err(raised)
        }
    }
}

/// Name and version of this program in recordings.
const TOOL: &str = concat!("oversleep for Python ", env!("CARGO_PKG_VERSION"));

/// Checks for signals and reports progress between turns, and about once a second within a turn. This thread times no
/// sleep meanwhile.
struct Watcher {
    stop: Stop,
    progress: Option<Py<PyAny>>,
    /// Time of the last check, since the run began.
    looked: Option<Nanos>,
    /// The first exception that a signal handler or the progress callback raised.
    raised: Option<PyErr>,
}

/// Least time between two checks. A check takes the interpreter's lock, which other threads may hold for 5 ms; this is
/// rare enough not to lengthen the pauses between turns.
const CHECK_EVERY: Nanos = Nanos::from_millis(100);

impl Observer for Watcher {
    fn watches(&mut self, elapsed: Nanos) -> bool {
        self.looked.is_none_or(|looked| elapsed.saturating_sub(looked) >= CHECK_EVERY)
    }

    fn progress(&mut self, progress: &SleepRunProgress) {
        self.looked = Some(progress.elapsed);
        if self.raised.is_some() {
            return;
        }
        let result = Python::try_attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(watcher) => watcher.call1(py, (fields(py, progress)?,)).map(drop),
                None => Ok(()),
            }
        });
        if let Some(Err(raised)) = result {
            self.raised = Some(raised);
            self.stop.stop();
        }
    }
}

fn fields<'py>(py: Python<'py>, progress: &SleepRunProgress) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("turns_done", progress.turns_done)?;
    fields.set_item("turns_planned", progress.turns_planned)?;
    fields.set_item("samples", progress.samples)?;
    fields.set_item("elapsed_ns", progress.elapsed.get())?;
    fields.set_item("remaining_ns", progress.remaining.get())?;
    Ok(fields)
}

/// A method, and whether this system has it.
#[derive(Serialize)]
struct Method {
    name: &'static str,
    here: bool,
    clock: &'static str,
}

/// Returns the sleep methods as dicts: those of this system, or with `every_system` those of all.
#[pyfunction]
#[pyo3(signature = (*, every_system=false))]
pub(crate) fn methods(py: Python<'_>, every_system: bool) -> PyResult<Bound<'_, PyAny>> {
    let here: Vec<_> = oversleep_os::method::entries().map(|entry| entry.id.row().name).collect();
    let rows = ROWS.iter().filter(|row| every_system || here.contains(&row.name));
    let rows: Vec<_> =
        rows.map(|row| Method { name: row.name, here: here.contains(&row.name), clock: row.clock.name() }).collect();
    document::objects(py, &rows)
}
