//! The functions `now`, `now_ns`, `sleep` and `sleep_until`.

use crate::interval::TimeArgument;
use crate::lateness::Lateness;
use crate::signals::{approach, detached};
use oversleep::Nanos;
use oversleep::clock::{Atomic, Boot, Clock, Monotonic, Time, Wall, kernel_sleep_until};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// Returns the time on the monotonic clock, in seconds.
#[pyfunction]
pub(crate) fn now() -> f64 {
    oversleep::now().as_nanos().as_secs_f64()
}

/// Returns the time on the monotonic clock, in nanoseconds.
#[pyfunction]
pub(crate) fn now_ns() -> i64 {
    oversleep::now().as_nanos().get()
}

/// Sleeps for a duration: seconds, a timedelta, or ns=. Makes one absolute wait with the least timer slack that the
/// kernel grants; returns how late it ended.
#[pyfunction]
#[pyo3(signature = (duration=None, *, ns=None))]
pub(crate) fn sleep(
    py: Python<'_>,
    duration: Option<&Bound<'_, PyAny>>,
    ns: Option<&Bound<'_, PyAny>>,
) -> PyResult<Lateness> {
    let duration = TimeArgument { what: "duration", value: duration, ns }.duration()?;
    let deadline = oversleep::now().saturating_add(duration);
    until(py, deadline)
}

/// Sleeps until a clock reads `deadline`: seconds, or ns=. Returns how late the sleep ended; at once if the deadline
/// has passed.
#[pyfunction]
#[pyo3(signature = (deadline=None, *, ns=None, clock="monotonic"))]
pub(crate) fn sleep_until(
    py: Python<'_>,
    deadline: Option<&Bound<'_, PyAny>>,
    ns: Option<&Bound<'_, PyAny>>,
    clock: &str,
) -> PyResult<Lateness> {
    let wait = match clock {
        "monotonic" => until_nanos::<Monotonic>,
        "wall" => until_nanos::<Wall>,
        "boot" => until_nanos::<Boot>,
        "atomic" => until_nanos::<Atomic>,
        _ => {
            return Err(PyValueError::new_err(format!(
                "no clock is called '{clock}'; there are monotonic, wall, boot and atomic"
            )));
        }
    };
    wait(py, TimeArgument { what: "deadline", value: deadline, ns }.any()?)
}

fn until_nanos<C: Clock>(py: Python<'_>, deadline: Nanos) -> PyResult<Lateness> {
    until(py, Time::<C>::from_nanos(deadline))
}

/// Sleeps in parts on every clock, so that a step of the clock is noticed as well as a signal.
fn until<C: Clock>(py: Python<'_>, deadline: Time<C>) -> PyResult<Lateness> {
    let nanos = deadline.as_nanos();
    let lateness = detached(py, move || {
        let deadline = Time::<C>::from_nanos(nanos);
        approach(deadline);
        kernel_sleep_until(deadline)
    })?;
    lateness.map(Lateness).ok_or_else(|| PyOSError::new_err("this system does not have that clock"))
}
