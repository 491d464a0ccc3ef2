//! The functions `now`, `now_ns`, `sleep`, `sleep_until`, `kernel_sleep` and `kernel_sleep_until`.

use crate::lateness::Lateness;
use crate::machine::{self, PythonMachine, approach, released};
use oversleep::clock::{Atomic, Boot, Clock, FARTHEST_DEADLINE, Monotonic, Time, Wall};
use oversleep::{Moment, Nanos, Sleeper};
use oversleep_py_common::interval::TimeArgument;
use oversleep_py_common::signals::caught;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::cell::Cell;

thread_local! {
    /// The sleeper of the thread's calls of `sleep` and `sleep_until`. Absent before the first and during each.
    static SLEEPER: Cell<Option<Box<Sleeper<PythonMachine>>>> = const { Cell::new(None) };
}

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

/// Sleeps precisely for a duration: seconds, a timedelta, or ns=. Returns how late the sleep ended.
#[pyfunction]
#[pyo3(signature = (duration=None, *, ns=None))]
pub(crate) fn sleep(duration: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<Lateness> {
    let now = oversleep::now();
    precisely(now.saturating_add(TimeArgument { what: "duration", value: duration, ns }.any()?))
}

/// Sleeps precisely until the monotonic clock reads `deadline`: seconds, or ns=. Returns how late the sleep ended; at
/// once if the deadline has passed.
#[pyfunction]
#[pyo3(signature = (deadline=None, *, ns=None))]
pub(crate) fn sleep_until(deadline: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<Lateness> {
    precisely(deadline_of(TimeArgument { what: "deadline", value: deadline, ns })?)
}

/// Returns a deadline on the monotonic clock, or on the one since boot. Refuses one that is so far ahead that it must be
/// another clock's.
pub(crate) fn deadline_of<C: Clock>(argument: TimeArgument<'_, '_>) -> PyResult<Time<C>> {
    let deadline = Time::from_nanos(argument.any()?);
    let ahead = Time::now().map_or(Nanos::ZERO, |now| deadline.saturating_since(now));
    if ahead > FARTHEST_DEADLINE {
        let years = ahead.as_secs_f64() / YEAR;
        let what = argument.what;
        return Err(PyValueError::new_err(format!(
            "{what} is {years:.0} years ahead; give a time of oversleep.now() or time.monotonic(), not of time.time()"
        )));
    }
    Ok(deadline)
}

/// In seconds.
const YEAR: f64 = 31_557_600.0;

/// Sleeps with the thread's own sleeper. A signal handler that sleeps while its thread does has a new one.
fn precisely(deadline: Moment) -> PyResult<Lateness> {
    let mut sleeper = SLEEPER.take().unwrap_or_else(|| Box::new(Sleeper::on(PythonMachine)));
    let slept = waited(|| sleeper.sleep_until(deadline));
    SLEEPER.set(Some(sleeper));
    slept.map(|_| Lateness::now(deadline))
}

/// Sleeps for a duration in one absolute wait of the kernel, with the least timer slack that it grants; returns how late
/// it ended.
#[pyfunction]
#[pyo3(signature = (duration=None, *, ns=None))]
pub(crate) fn kernel_sleep(duration: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<Lateness> {
    let now = oversleep::now();
    let duration = TimeArgument { what: "duration", value: duration, ns }.any()?;
    until(now.saturating_add(duration))
}

/// Sleeps in the kernel until a clock reads `deadline`: seconds, or ns=. Returns how late the sleep ended; at once if the
/// deadline has passed.
#[pyfunction]
#[pyo3(signature = (deadline=None, *, ns=None, clock="monotonic"))]
pub(crate) fn kernel_sleep_until(
    deadline: Option<&Bound<'_, PyAny>>,
    ns: Option<&Bound<'_, PyAny>>,
    clock: &str,
) -> PyResult<Lateness> {
    let deadline = TimeArgument { what: "deadline", value: deadline, ns };
    match clock {
        "monotonic" => until::<Monotonic>(deadline_of(deadline)?),
        "boot" => until::<Boot>(deadline_of(deadline)?),
        // These can be set, also by decades.
        "wall" => until(Time::<Wall>::from_nanos(deadline.any()?)),
        "atomic" => until(Time::<Atomic>::from_nanos(deadline.any()?)),
        _ => Err(PyValueError::new_err(format!(
            "no clock is called '{clock}'; there are monotonic, wall, boot and atomic"
        ))),
    }
}

/// Sleeps in parts on every clock, so that a step of the clock is noticed as well as a signal.
fn until<C: Clock>(deadline: Time<C>) -> PyResult<Lateness> {
    let nanos = deadline.as_nanos();
    let end = waited(|| {
        // Without the clock, the rest is negative.
        approach(|| Time::now().map_or(Nanos::MIN, |now| deadline.saturating_since(now)));
        released(|| oversleep::clock::kernel_sleep_until(Time::<C>::from_nanos(nanos)).is_some())
            .then(Time::now)
            .flatten()
    })?;
    let end = end.ok_or_else(|| PyOSError::new_err("this system does not have that clock"))?;
    Ok(Lateness(oversleep::Lateness::between(deadline, end)))
}

/// Calls `wait`, which waits on a [`PythonMachine`]; returns its result, or the exception that a signal handler raised.
pub(crate) fn waited<T>(wait: impl FnOnce() -> T) -> PyResult<T> {
    machine::begin();
    caught(wait)
}
