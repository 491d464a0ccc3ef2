//! Durations that have their own unit: `timedelta`, and its counterparts in numpy and pandas.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDeltaAccess};

/// A duration of exactly `above / below` seconds.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// Numerator of the seconds.
    pub above: i128,
    /// Denominator of the seconds, above zero.
    pub below: i128,
}

/// Returns the duration if the value has a unit of its own; `what` is the argument's name.
pub fn span(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Option<Span>> {
    // A pandas Timedelta is also a timedelta, but read as one it loses its nanoseconds.
    if let Ok(with_nanoseconds) = value.getattr("to_timedelta64") {
        return from_numpy(&with_nanoseconds.call0()?, what);
    }
    let Ok(delta) = value.cast::<PyDelta>() else { return from_numpy(value, what) };
    let seconds = i128::from(delta.get_days()) * 86_400 + i128::from(delta.get_seconds());
    Ok(Some(Span { above: seconds * 1_000_000 + i128::from(delta.get_microseconds()), below: 1_000_000 }))
}

/// Returns the duration of a `numpy.timedelta64`, which is a count of a step of a unit. As a plain number it would
/// be taken for seconds.
fn from_numpy(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Option<Span>> {
    let Ok(dtype) = value.getattr("dtype") else { return Ok(None) };
    if !dtype.getattr("kind").is_ok_and(|kind| kind.eq("m").unwrap_or(false)) {
        return Ok(None);
    }
    let refused = |why: &str| Err(PyValueError::new_err(format!("{what} {why}")));
    let count: i64 = value.call_method1("astype", ("int64",))?.extract()?;
    // numpy's value for "not a time".
    if count == i64::MIN {
        return refused("cannot be NaT");
    }
    let (unit, step): (String, i32) = value.py().import("numpy")?.call_method1("datetime_data", (dtype,))?.extract()?;
    let (above, below) = match unit.as_str() {
        "W" => (604_800, 1),
        "D" => (86_400, 1),
        "h" => (3_600, 1),
        "m" => (60, 1),
        "s" => (1, 1),
        "ms" => (1, 1_000),
        "us" => (1, 1_000_000),
        "ns" => (1, 1_000_000_000),
        "ps" => (1, 1_000_000_000_000),
        "fs" => (1, 1_000_000_000_000_000),
        "as" => (1, 1_000_000_000_000_000_000),
        "generic" => return refused("is a timedelta64 without a unit; give it one, as in timedelta64(5, 'ms')"),
        _ => return refused("is a timedelta64 of months or years, which differ in length; give it in days or less"),
    };
    Ok(Some(Span { above: i128::from(count) * i128::from(step) * above, below }))
}
