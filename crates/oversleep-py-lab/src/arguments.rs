//! Arguments of `measure` and `simulate` that are texts or lists: times, policies, phases, methods.

use oversleep_py_common::interval;
use oversleep_recording::plan::Pattern;
use oversleep_sys::units::Nanos;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

pub(crate) fn wrong(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}

/// Returns a list's or tuple's items, or a single value as the only item; nothing for `None`.
pub(crate) fn items<'py>(value: Option<&Bound<'py, PyAny>>, what: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    match value {
        None => Ok(Vec::new()),
        Some(many) if many.is_instance_of::<PyList>() || many.is_instance_of::<PyTuple>() => {
            let many: Vec<_> = many.try_iter()?.collect::<PyResult<_>>()?;
            if many.is_empty() {
                return Err(wrong(format!("{what} is an empty list; put something into it, or leave it out")));
            }
            Ok(many)
        }
        Some(one) => Ok(vec![one.clone()]),
    }
}

/// Returns a text argument; an error if it is of another type.
pub(crate) fn word(value: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_cow()?.into_owned()),
        Err(_) => Err(PyTypeError::new_err(format!("{what} must be text, not {}", value.get_type().name()?))),
    }
}

/// Returns a duration, not negative: seconds, a `timedelta`, or a text such as `250us`.
pub(crate) fn time(value: &Bound<'_, PyAny>, what: &'static str) -> PyResult<Nanos> {
    let Ok(text) = value.cast::<PyString>() else {
        return interval::keyword(Some(value), what).map(Option::unwrap_or_default);
    };
    let text = text.to_cow()?;
    let time: Nanos = text.parse().map_err(|error| wrong(format!("{what}: {error}")))?;
    if time < Nanos::ZERO {
        return Err(wrong(format!("{what} cannot be negative")));
    }
    Ok(time)
}

/// Returns a duration above zero, given as for [`time`].
pub(crate) fn lasting(value: &Bound<'_, PyAny>, what: &'static str) -> PyResult<Nanos> {
    match time(value, what)? {
        Nanos::ZERO => Err(wrong(format!("{what} must be longer than zero"))),
        time => Ok(time),
    }
}

/// Returns a request: a duration, or a range such as `200us..60ms` from which each sleep draws its own.
pub(crate) fn request(value: &Bound<'_, PyAny>) -> PyResult<Pattern> {
    let Ok(text) = value.cast::<PyString>() else { return time(value, "request").map(Pattern::fixed) };
    if !text.to_cow()?.contains("..") {
        return time(value, "request").map(Pattern::fixed);
    }
    text.to_cow()?.parse().map_err(|error| wrong(format!("request: {error}")))
}
