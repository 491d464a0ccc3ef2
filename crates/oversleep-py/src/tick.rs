//! The class `Tick`, and the arguments that all tickers take.

use crate::interval::TimeArgument;
use crate::lateness::Lateness;
use crate::rational;
use oversleep::ticker::Disturbed;
use oversleep::{Missed, Nanos, Period};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// One tick.
#[pyclass(frozen, eq, module = "oversleep")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tick {
    index: u64,
    /// Time at which the tick was due, on the ticker's clock.
    deadline: Nanos,
    lateness: oversleep::Lateness,
    missed: u64,
    disturbed: Disturbed,
}

impl<C> From<oversleep::Tick<C>> for Tick {
    fn from(tick: oversleep::Tick<C>) -> Self {
        let oversleep::Tick { index, deadline, lateness, missed, disturbed, .. } = tick;
        Self { index, deadline: deadline.as_nanos(), lateness, missed, disturbed }
    }
}

#[pymethods]
impl Tick {
    /// The tick's number in the schedule, from 0; for tickers on the wall clock, periods since 1970 plus the phase.
    #[getter]
    fn index(&self) -> u64 {
        self.index
    }

    /// When the tick was due, nanoseconds: on the monotonic clock, or the wall clock for a `WallTicker`.
    #[getter]
    fn deadline_ns(&self) -> i64 {
        self.deadline.get()
    }

    /// When the tick was due, seconds: on the same clock as `deadline_ns`.
    #[getter]
    fn deadline(&self) -> f64 {
        self.deadline.as_secs_f64()
    }

    /// How late the tick was returned.
    #[getter]
    fn lateness(&self) -> Lateness {
        Lateness(self.lateness)
    }

    /// Number of ticks left out between the previous tick and this one.
    #[getter]
    fn missed(&self) -> u64 {
        self.missed
    }

    /// How long the machine was suspended since the previous tick, nanoseconds, where the system says it.
    #[getter]
    fn suspended_ns(&self) -> i64 {
        self.disturbed.suspended.get()
    }

    /// How far the wall clock was set since the previous tick, nanoseconds. `WallTicker` and `LockedTicker` only.
    #[getter]
    fn stepped_ns(&self) -> i64 {
        self.disturbed.stepped.get()
    }

    fn __repr__(&self) -> String {
        let missed = if self.missed > 0 { format!(", {} missed", self.missed) } else { String::new() };
        format!("<Tick {}: {}{missed}>", self.index, self.lateness)
    }
}

/// A period given in one of three ways: seconds (or Fraction, or timedelta), `ns=`, `rate=`.
pub(crate) struct Every<'a, 'py> {
    pub(crate) period: Option<&'a Bound<'py, PyAny>>,
    pub(crate) ns: Option<&'a Bound<'py, PyAny>>,
    pub(crate) rate: Option<&'a Bound<'py, PyAny>>,
}

impl Every<'_, '_> {
    /// Returns the period; `default` if none was given.
    pub(crate) fn or(&self, default: Option<Period>) -> PyResult<Period> {
        match (self.period, self.ns, self.rate) {
            (Some(period), None, None) => rational::period(period),
            (None, Some(_), None) => {
                let told = TimeArgument { what: "period", value: None, ns: self.ns };
                Period::try_every(told.any()?).map_err(rational::refused)
            }
            (None, None, Some(rate)) => Period::try_from(rational::hertz(rate)?).map_err(rational::refused),
            (None, None, None) => {
                default.ok_or_else(|| PyTypeError::new_err("a period is missing: seconds, ns=, or rate= per second"))
            }
            _ => Err(PyTypeError::new_err("give the period once: in seconds, with ns=, or with rate=")),
        }
    }
}

pub(crate) fn missed(word: &str) -> PyResult<Missed> {
    match word {
        "burst" => Ok(Missed::Burst),
        "skip" => Ok(Missed::Skip),
        "delay" => Ok(Missed::Delay),
        _ => Err(PyValueError::new_err(format!("missed is 'burst', 'skip' or 'delay', not '{word}'"))),
    }
}
