//! Clocks and single sleeps.

use crate::attentive::{approach, detached};
use crate::interval::Told;
use crate::lateness::Lateness;
use oversleep::{Nanos, SleepClock};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// The monotonic clock, in seconds.
#[pyfunction]
pub(crate) fn now() -> f64 {
    oversleep::now().as_secs_f64()
}

/// The monotonic clock, in nanoseconds.
#[pyfunction]
pub(crate) fn now_ns() -> i64 {
    oversleep::now().get()
}

/// Sleeps for a duration: seconds, a timedelta, or ns=. One absolute wait of the kernel with the least slack it grants.
#[pyfunction]
#[pyo3(signature = (duration=None, *, ns=None))]
pub(crate) fn sleep(
    py: Python<'_>,
    duration: Option<&Bound<'_, PyAny>>,
    ns: Option<&Bound<'_, PyAny>>,
) -> PyResult<Lateness> {
    let duration = Told { what: "duration", value: duration, ns }.duration()?;
    let deadline = oversleep::now().saturating_add(duration);
    until(py, SleepClock::Monotonic, deadline)
}

/// Sleeps until a clock reads `deadline`: seconds, or ns=. A deadline that is over returns at once.
#[pyfunction]
#[pyo3(signature = (deadline=None, *, ns=None, clock="monotonic"))]
pub(crate) fn sleep_until(
    py: Python<'_>,
    deadline: Option<&Bound<'_, PyAny>>,
    ns: Option<&Bound<'_, PyAny>>,
    clock: &str,
) -> PyResult<Lateness> {
    let clock = named(clock)?;
    let deadline = Told { what: "deadline", value: deadline, ns }.any()?;
    until(py, clock, deadline)
}

fn named(clock: &str) -> PyResult<SleepClock> {
    match clock {
        "monotonic" => Ok(SleepClock::Monotonic),
        "wall" => Ok(SleepClock::Wall),
        "boot" => Ok(SleepClock::Boot),
        "atomic" => Ok(SleepClock::Atomic),
        _ => Err(PyValueError::new_err(format!(
            "no clock is called '{clock}'; there are monotonic, wall, boot and atomic"
        ))),
    }
}

/// Every clock is approached in parts, so that a step of it is noticed as well as a signal.
fn until(py: Python<'_>, clock: SleepClock, deadline: Nanos) -> PyResult<Lateness> {
    let lateness = detached(py, || {
        // A clock that is not there reads the deadline and ends the approach.
        approach(deadline, || clock.now().unwrap_or(deadline));
        clock.sleep_until(deadline)
    })?;
    lateness.map(Lateness).ok_or_else(|| PyOSError::new_err("this system does not have that clock"))
}
