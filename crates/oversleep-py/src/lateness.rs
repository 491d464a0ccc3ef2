//! The class `Lateness`.

use oversleep::Moment;
use oversleep_py_common::interval::TimeArgument;
use pyo3::prelude::*;

/// How late a wait ended. Positive: late. Negative: early, which only an early window allows. Ordered.
#[pyclass(frozen, eq, ord, hash, module = "oversleep")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lateness(pub(crate) oversleep::Lateness);

impl Lateness {
    /// Returns how late it is now. Called last, so that little follows before the caller goes on.
    pub(crate) fn now(deadline: Moment) -> Self {
        Self(oversleep::Lateness::between(deadline, oversleep::now()))
    }
}

#[pymethods]
impl Lateness {
    /// The lateness in whole nanoseconds: exact, and what to compare with numbers (``lateness.ns > 1_000_000``).
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

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Lateness(ns={})", self.ns())
    }
}
