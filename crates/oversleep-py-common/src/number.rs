//! Numbers as arguments. Python's integers have no limit; one too large for Rust is out of range like any other.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Returns a whole number. One beyond Rust's `i128` becomes the least or greatest `i128`, which no range here includes.
pub fn whole(value: &Bound<'_, PyAny>) -> PyResult<i128> {
    saturated(value, value.extract(), i128::MIN, i128::MAX)
}

/// Returns such a number; `None` if the argument is None or was left out.
pub fn whole_if_any(value: &Bound<'_, PyAny>) -> PyResult<Option<i128>> {
    if value.is_none() { Ok(None) } else { whole(value).map(Some) }
}

/// Returns any number as the nearest float; infinity beyond the range of floats.
pub fn real(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    saturated(value, value.extract(), f64::NEG_INFINITY, f64::INFINITY)
}

/// Returns such a number; `None` if the argument is None or was left out.
pub fn real_if_any(value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    if value.is_none() { Ok(None) } else { real(value).map(Some) }
}

fn saturated<T>(value: &Bound<'_, PyAny>, read: PyResult<T>, least: T, most: T) -> PyResult<T> {
    match read {
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(if value.lt(0)? { least } else { most })
        }
        read => read,
    }
}

/// Returns the number, if it is within `from` to `to`; `what` is the argument's name.
pub fn in_range<T: TryFrom<i128>>(number: i128, what: &str, from: i128, to: i128) -> PyResult<T> {
    let inside = Some(number).filter(|number| (from..=to).contains(number));
    inside.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
        let not = match number {
            i128::MIN | i128::MAX => String::new(),
            number => format!(", not {number}"),
        };
        PyValueError::new_err(format!("{what} must be from {from} to {to}{not}"))
    })
}

/// Returns a number of units or ticks, if it is within 0 to 2⁶⁴ − 1; `what` is the argument's name.
pub fn units(number: i128, what: &str) -> PyResult<u64> {
    in_range(number, what, 0, u64::MAX.into())
}

/// Returns a whole number; the error for another type names the argument, `what`.
pub fn whole_called(value: &Bound<'_, PyAny>, what: &str) -> PyResult<i128> {
    let py = value.py();
    match whole(value) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            Err(PyTypeError::new_err(format!("{what} takes a whole number, not {}", value.get_type().name()?)))
        }
        read => read,
    }
}
