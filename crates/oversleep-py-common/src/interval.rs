//! Times as arguments in Python: seconds, a `timedelta`, or `ns=`.
//!
//! Error messages begin with the argument's name.

use crate::number::{real, whole};
use crate::span::{Span, span};
use oversleep_sys::units::Nanos;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};

/// A time that may be given in one of two ways.
pub struct TimeArgument<'a, 'py> {
    /// The argument's name in error messages: `duration`, `deadline`.
    pub what: &'static str,
    /// Seconds or a `timedelta`.
    pub value: Option<&'a Bound<'py, PyAny>>,
    /// Nanoseconds.
    pub ns: Option<&'a Bound<'py, PyAny>>,
}

impl TimeArgument<'_, '_> {
    /// Returns the time; `None` if it was not given.
    pub fn optional(&self) -> PyResult<Option<Nanos>> {
        match (self.value, self.ns) {
            (None, None) => Ok(None),
            (Some(value), None) => from_value(value, self.what).map(Some),
            (None, Some(ns)) => from_ns(ns, self.what).map(Some),
            (Some(_), Some(_)) => {
                Err(PyTypeError::new_err(format!("give the {} once: in seconds, or with ns=", self.what)))
            }
        }
    }

    /// Returns the time; an error if it was not given.
    pub fn any(&self) -> PyResult<Nanos> {
        self.optional()?
            .ok_or_else(|| PyTypeError::new_err(format!("{} is missing: seconds, a timedelta, or ns=", self.what)))
    }
}

/// Returns a keyword argument that is a duration, not negative; `None` if it was not given.
pub fn keyword(value: Option<&Bound<'_, PyAny>>, what: &'static str) -> PyResult<Option<Nanos>> {
    value.map(|value| from_value(value, what).and_then(|time| not_negative(time, what))).transpose()
}

fn not_negative(time: Nanos, what: &str) -> PyResult<Nanos> {
    if time < Nanos::ZERO {
        return Err(PyValueError::new_err(format!("{what} cannot be negative")));
    }
    Ok(time)
}

/// Converts seconds (whole ones exactly, others to the nearest nanosecond) or a `timedelta` (exactly).
fn from_value(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Nanos> {
    if value.is_instance_of::<PyInt>() {
        return fit(whole(value)?.saturating_mul(1_000_000_000), what);
    }
    if !value.is_instance_of::<PyFloat>()
        && let Some(span) = span(value, what)?
    {
        return from_span(span, what);
    }
    // This refuses strings and `None`, but accepts other kinds of numbers (numpy's, Fraction, Decimal).
    match real(value) {
        Ok(seconds) => from_seconds(seconds, what),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            let kind = value.get_type().name()?;
            Err(PyTypeError::new_err(format!("{what} is a number of seconds or a timedelta, not {kind}")))
        }
        Err(error) => Err(error),
    }
}

/// Rounds to the nearest nanosecond; only numpy has smaller units.
fn from_span(span: Span, what: &str) -> PyResult<Nanos> {
    let Span { above, below } = span;
    let ns = above.checked_mul(1_000_000_000).ok_or_else(|| too_long(what))?;
    let half = if ns < 0 { -below / 2 } else { below / 2 };
    fit((ns + half) / below, what)
}

#[allow(clippy::cast_possible_truncation)] // saturates, and `fit` refuses what is out of range
fn from_seconds(seconds: f64, what: &str) -> PyResult<Nanos> {
    if seconds.is_nan() {
        return Err(PyValueError::new_err(format!("{what} cannot be NaN")));
    }
    fit((seconds * 1e9).round() as i128, what)
}

fn from_ns(ns: &Bound<'_, PyAny>, what: &str) -> PyResult<Nanos> {
    if ns.is_instance_of::<PyFloat>() {
        return Err(PyTypeError::new_err("ns= takes a whole number of nanoseconds"));
    }
    match whole(ns) {
        Err(error) if error.is_instance_of::<PyTypeError>(ns.py()) => {
            Err(PyTypeError::new_err("ns= takes a whole number of nanoseconds"))
        }
        ns => fit(ns?, what),
    }
}

fn fit(ns: i128, what: &str) -> PyResult<Nanos> {
    i64::try_from(ns).map(Nanos::new).map_err(|_| too_long(what))
}

fn too_long(what: &str) -> PyErr {
    PyValueError::new_err(format!("{what} must be within 292 years"))
}
