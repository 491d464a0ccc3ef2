//! The class `Control` and the function that starts one.

use crate::sleep::deadline_of;
use oversleep::Nanos;
use oversleep_py_common::interval::TimeArgument;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::io::ErrorKind;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Threads that sleep during a test, one on each processor, and say how long the machine let none of them wake.
///
/// Made by ``control()``. After ``close()``, or the end of the ``with`` block, it still says what it saw until then.
#[pyclass(frozen, module = "oversleep")]
#[derive(Debug)]
pub(crate) struct Control(Mutex<oversleep::Control>);

/// Starts a control: a thread on each processor that this thread may use, which sleeps for a period again and again.
#[pyfunction]
#[pyo3(signature = (period=None, *, ns=None))]
pub(crate) fn control(period: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<Control> {
    let period = TimeArgument { what: "period", value: period, ns }.optional()?;
    let period = period.unwrap_or_else(|| Nanos::from(oversleep::Control::PERIOD));
    match oversleep::Control::every(period) {
        Ok(control) => Ok(Control(Mutex::new(control))),
        Err(error) if error.kind() == ErrorKind::InvalidInput => Err(PyValueError::new_err(error.to_string())),
        Err(error) => Err(PyOSError::new_err(error.to_string())),
    }
}

impl Control {
    fn control(&self) -> MutexGuard<'_, oversleep::Control> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Control {
    /// Returns the longest time in seconds, so far, from when a wake-up was due to the next.
    fn worst(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.control().worst().as_secs_f64())
    }

    /// Returns the same in nanoseconds.
    fn worst_ns(&self, py: Python<'_>) -> i64 {
        py.detach(|| Nanos::from(self.control().worst()).get())
    }

    /// Returns the longest in seconds of those around two times of ``now()``, in seconds.
    fn worst_between(&self, py: Python<'_>, start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>) -> PyResult<f64> {
        let deadline = |what, value| deadline_of(TimeArgument { what, value: Some(value), ns: None });
        let (start, end) = (deadline("start", start)?, deadline("end", end)?);
        Ok(py.detach(|| self.control().worst_between(start, end).as_secs_f64()))
    }

    /// Returns whether the machine stood still, and for how long, in a sentence for a failed assertion.
    fn stood_still(&self, py: Python<'_>) -> String {
        py.detach(|| self.control().stood_still())
    }

    /// Ends the threads, within a period.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.control().stop());
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.close(py);
    }
}
