//! Times as people write them in Python: seconds, a `timedelta`, or `ns=`.

use oversleep::Nanos;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDeltaAccess, PyFloat, PyInt};

/// A time that may be told in two ways, of which one is wanted.
pub(crate) struct Told<'a, 'py> {
    /// What is told, for messages: `duration`, `deadline`.
    pub(crate) what: &'static str,
    /// Seconds or a `timedelta`.
    pub(crate) value: Option<&'a Bound<'py, PyAny>>,
    /// Nanoseconds.
    pub(crate) ns: Option<&'a Bound<'py, PyAny>>,
}

impl Told<'_, '_> {
    /// The time. `None` if it was told in neither way.
    pub(crate) fn optional(&self) -> PyResult<Option<Nanos>> {
        match (self.value, self.ns) {
            (None, None) => Ok(None),
            (Some(value), None) => from_value(value, self.what).map(Some),
            (None, Some(ns)) => from_ns(ns, self.what).map(Some),
            (Some(_), Some(_)) => {
                Err(PyTypeError::new_err(format!("give the {} once: in seconds, or with ns=", self.what)))
            }
        }
    }

    /// The time.
    pub(crate) fn any(&self) -> PyResult<Nanos> {
        self.optional()?
            .ok_or_else(|| PyTypeError::new_err(format!("a {} is missing: seconds, a timedelta, or ns=", self.what)))
    }

    /// The time, which cannot be negative.
    pub(crate) fn duration(&self) -> PyResult<Nanos> {
        self.any().and_then(|time| not_negative(time, self.what))
    }
}

/// A keyword argument that is a duration; `None` if it was not given.
pub(crate) fn keyword(value: Option<&Bound<'_, PyAny>>, what: &'static str) -> PyResult<Option<Nanos>> {
    value.map(|value| from_value(value, what).and_then(|time| not_negative(time, what))).transpose()
}

fn not_negative(time: Nanos, what: &str) -> PyResult<Nanos> {
    if time < Nanos::ZERO {
        return Err(PyValueError::new_err(format!("a {what} cannot be negative")));
    }
    Ok(time)
}

/// Seconds (whole ones exactly, others to the nearest nanosecond) or a `timedelta` (exactly).
fn from_value(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Nanos> {
    if let Ok(delta) = value.cast::<PyDelta>() {
        let days = i128::from(delta.get_days());
        let seconds = days * 86_400 + i128::from(delta.get_seconds());
        return fit((seconds * 1_000_000 + i128::from(delta.get_microseconds())) * 1_000, what);
    }
    if value.is_instance_of::<PyInt>() {
        let seconds: i128 = value.extract().map_err(|_| too_long(what))?;
        return fit(seconds.saturating_mul(1_000_000_000), what);
    }
    // Strings and `None` are refused by this too; numbers of other kinds (numpy's, Fraction, Decimal) are not.
    let Ok(seconds) = value.extract::<f64>() else {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a {what} is a number of seconds or a timedelta, not {kind}")));
    };
    from_seconds(seconds, what)
}

#[allow(clippy::cast_possible_truncation)] // saturates, and `fit` refuses what is out of range
fn from_seconds(seconds: f64, what: &str) -> PyResult<Nanos> {
    if seconds.is_nan() {
        return Err(PyValueError::new_err(format!("a {what} cannot be NaN")));
    }
    fit((seconds * 1e9).round() as i128, what)
}

fn from_ns(ns: &Bound<'_, PyAny>, what: &str) -> PyResult<Nanos> {
    if ns.is_instance_of::<PyFloat>() {
        return Err(PyTypeError::new_err("ns= takes a whole number of nanoseconds"));
    }
    match ns.extract::<i128>() {
        Ok(ns) => fit(ns, what),
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(ns.py()) => Err(too_long(what)),
        Err(_) => Err(PyTypeError::new_err("ns= takes a whole number of nanoseconds")),
    }
}

fn fit(ns: i128, what: &str) -> PyResult<Nanos> {
    i64::try_from(ns).map(Nanos::new).map_err(|_| too_long(what))
}

fn too_long(what: &str) -> PyErr {
    PyValueError::new_err(format!("a {what} must be within 292 years"))
}
