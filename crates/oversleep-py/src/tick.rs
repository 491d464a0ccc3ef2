//! The class `Tick`, and the arguments that all tickers take.

use crate::lateness::Lateness;
use crate::rational;
use oversleep::clock::Wall;
use oversleep::ticker::Disturbed;
use oversleep::{Missed, Moment, Nanos, Period};
use oversleep_py_common::interval::TimeArgument;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// One tick.
#[pyclass(frozen, eq, module = "oversleep")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tick {
    index: u64,
    /// Time at which the tick was due, on the ticker's clock.
    deadline: Nanos,
    lateness: oversleep::Lateness,
    missed: u64,
    disturbed: Disturbed,
    /// Reads the ticker's clock.
    clock: fn() -> Nanos,
}

impl PartialEq for Tick {
    fn eq(&self, other: &Self) -> bool {
        let fields = |tick: &Self| (tick.index, tick.deadline, tick.lateness, tick.missed, tick.disturbed);
        fields(self) == fields(other)
    }
}

impl Tick {
    fn new<C>(tick: oversleep::Tick<C>, clock: fn() -> Nanos) -> Self {
        let oversleep::Tick { index, deadline, lateness, missed, disturbed, .. } = tick;
        Self { index, deadline: deadline.as_nanos(), lateness, missed, disturbed, clock }
    }

    /// Returns the tick with how late it is now. Called last, so that little follows before the caller goes on.
    pub(crate) fn now(mut self) -> Self {
        let [deadline, now] = [self.deadline, (self.clock)()].map(Moment::from_nanos);
        self.lateness = oversleep::Lateness::between(deadline, now);
        self
    }
}

impl From<oversleep::Tick> for Tick {
    fn from(tick: oversleep::Tick) -> Self {
        Self::new(tick, || oversleep::now().as_nanos())
    }
}

impl From<oversleep::Tick<Wall>> for Tick {
    fn from(tick: oversleep::Tick<Wall>) -> Self {
        Self::new(tick, || oversleep::clock::wall_now().as_nanos())
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

    /// Returns the tick with how late it is now: an event loop comes later than the thread that waits for it.
    fn _now(&self) -> Self {
        self.now()
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

/// A period given in one of three ways, all of them keywords: seconds (or Fraction, or timedelta), `ns=`, `rate=`; and the
/// arguments that the ticker does not have.
pub(crate) struct Every<'a, 'py> {
    /// The ticker's class, and its arguments.
    pub(crate) class: &'static str,
    pub(crate) arguments: &'static str,
    pub(crate) period: Option<&'a Bound<'py, PyAny>>,
    pub(crate) ns: Option<&'a Bound<'py, PyAny>>,
    pub(crate) rate: Option<&'a Bound<'py, PyAny>>,
    pub(crate) unnamed: &'a Bound<'py, PyTuple>,
    pub(crate) unknown: Option<&'a Bound<'py, PyDict>>,
}

/// What to write instead of `Ticker(60)` or `Ticker(hz=60)`.
const WRITE: &str = "write rate=60 for 60 ticks a second, or period=0.01 for one every 10 ms";

impl Every<'_, '_> {
    /// Returns the period; `default` if none was given.
    pub(crate) fn or(&self, default: Option<Period>) -> PyResult<Period> {
        let wrong = |what: &str| Err(PyTypeError::new_err(format!("{what}; {WRITE}")));
        if !self.unnamed.is_empty() {
            return wrong("a ticker's arguments have names");
        }
        if let Some((name, _)) = self.unknown.and_then(|unknown| unknown.iter().next()) {
            let Self { class, arguments, .. } = self;
            return wrong(&format!("{class} has no argument '{name}', only rate, period or ns, and {arguments}"));
        }
        match (self.period, self.ns, self.rate) {
            (None, None, None) => default.map_or_else(|| wrong("a ticker needs a rate or a period"), Ok),
            (None, None, Some(rate)) => period_of(rate),
            (period, ns, None) if period.is_none() || ns.is_none() => period_in(period, ns),
            _ => wrong("give a ticker its rate or its period once"),
        }
    }
}

/// Returns the period of a rate.
pub(crate) fn period_of(rate: &Bound<'_, PyAny>) -> PyResult<Period> {
    Period::try_from(rational::hertz(rate)?).map_err(rational::refused)
}

/// Returns a period given in seconds (or as a Fraction, or timedelta), or with `ns=`.
pub(crate) fn period_in(period: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<Period> {
    match (period, ns) {
        (Some(period), None) => rational::period(period),
        (value, ns) => Period::try_every(TimeArgument { what: "period", value, ns }.any()?).map_err(rational::refused),
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
