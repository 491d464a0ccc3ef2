//! The class `Lateness`.

use oversleep::Moment;
use oversleep_py_common::interval::TimeArgument;
use oversleep_py_common::number::real;
use oversleep_py_common::span::{Span, span};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::PyBool;
use std::cmp::Ordering;

/// How late a wait ended. Positive: late. Negative: early, which only an early window allows.
///
/// Ordered among each other, and with times: ``lateness > 0.001`` (seconds), ``lateness > timedelta(milliseconds=1)``.
/// Equal only to another lateness.
#[pyclass(frozen, module = "oversleep")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lateness(pub(crate) oversleep::Lateness);

impl Lateness {
    /// Returns how late it is now. Called last, so that little follows before the caller goes on.
    pub(crate) fn now(deadline: Moment) -> Self {
        Self(oversleep::Lateness::between(deadline, oversleep::now()))
    }
}

impl Lateness {
    /// Returns the order of this and a time in seconds or a `timedelta`; `None` if it is NaN. A `TypeError` if it is no time.
    fn compare(self, other: &Bound<'_, PyAny>) -> PyResult<Option<Ordering>> {
        if let Some(Span { above, below }) = span(other, "a time")? {
            let scaled = i128::from(self.ns()).saturating_mul(below);
            return Ok(Some(scaled.cmp(&above.saturating_mul(1_000_000_000))));
        }
        Ok(self.seconds().partial_cmp(&real(other)?))
    }
}

#[pymethods]
impl Lateness {
    /// The lateness in whole nanoseconds, exactly.
    #[getter]
    pub(crate) fn ns(&self) -> i64 {
        self.0.nanos().get()
    }

    /// The same in seconds: to go on calculating with times of ``now()`` or ``time.monotonic()``.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.nanos().as_secs_f64()
    }

    /// Returns whether the wait ended more than this after its deadline: seconds or a timedelta, or ns=.
    #[pyo3(signature = (tolerance=None, *, ns=None))]
    fn exceeds(&self, tolerance: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        Ok(self.0.exceeds(TimeArgument { what: "tolerance", value: tolerance, ns }.any()?))
    }

    fn __hash__(&self) -> i64 {
        self.ns()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, compared: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let ordering = match other.cast::<Self>() {
            Ok(other) => Some(self.cmp(other.get())),
            Err(_) if matches!(compared, CompareOp::Eq | CompareOp::Ne) => return Ok(py.NotImplemented()),
            Err(_) => match self.compare(other) {
                Err(error) if error.is_instance_of::<PyTypeError>(py) => return Ok(py.NotImplemented()),
                ordering => ordering?,
            },
        };
        // Nothing is before or after NaN.
        let holds = ordering.is_some_and(|ordering| compared.matches(ordering));
        Ok(PyBool::new(py, holds).to_owned().into_any().unbind())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Lateness(ns={})", self.ns())
    }
}
