//! The class `Pacer`.

use crate::lateness::Lateness;
use crate::machine::PythonMachine;
use crate::rational::{self, refused};
use crate::sleep::{deadline_of, waited};
use oversleep::Nanos;
use oversleep::pacer::NotReady;
use oversleep_py_common::interval::{TimeArgument, keyword};
use oversleep_py_common::number::{in_range, units, whole, whole_if_any};
use pyo3::prelude::*;

/// Limits messages, bytes, requests or other units to an exact rate. Any number of threads may share one.
///
/// Unit k is due at start + k / rate, exactly. ``rate``: see ``Ticker``. ``burst``: how many units may go at once
/// after an idle time (unless given, 10 ms' worth and two, and at least the most that was ever taken at once); what lies
/// beyond is forgone and counted. The first unit is due at the start. Waits use the kernel's timer: the rate is exact, a
/// single unit some 0.1 ms late.
#[pyclass(frozen, module = "oversleep")]
#[derive(Debug)]
pub(crate) struct Pacer {
    pacer: oversleep::Pacer<PythonMachine>,
    rate: oversleep::Hertz,
}

#[pymethods]
impl Pacer {
    #[new]
    #[pyo3(signature = (rate, *, burst=None))]
    fn new(rate: &Bound<'_, PyAny>, #[pyo3(from_py_with = whole_if_any)] burst: Option<i128>) -> PyResult<Self> {
        let rate = rational::hertz(rate)?;
        let mut builder = oversleep::Pacer::builder(rate);
        if let Some(burst) = burst {
            builder = builder.burst(in_range(burst, "burst", 1, u64::MAX.into())?);
        }
        Ok(Self { pacer: builder.try_build_on(PythonMachine).map_err(refused)?, rate })
    }

    /// Waits for one unit; returns how late the wait ended.
    fn until_ready(&self) -> PyResult<Lateness> {
        waited(|| self.pacer.until_ready()).map(Lateness)
    }

    /// Waits for `n` units; returns how late the wait ended.
    #[pyo3(signature = (n=1))]
    fn take(&self, #[pyo3(from_py_with = whole)] n: i128) -> PyResult<Lateness> {
        let n = units(n, "n")?;
        waited(|| self.pacer.take(n))?.map(Lateness).map_err(refused)
    }

    /// Takes `n` units without waiting; returns when they may be used, nanoseconds on the monotonic clock.
    #[pyo3(signature = (n=1))]
    fn reserve(&self, #[pyo3(from_py_with = whole)] n: i128) -> PyResult<i64> {
        let due = self.pacer.reserve(units(n, "n")?).map_err(refused)?;
        Ok(due.as_nanos().get())
    }

    /// Waits for `n` units in a task of asyncio; its result is how late the wait ended.
    #[pyo3(signature = (n=1))]
    fn take_async<'py>(this: &Bound<'py, Self>, #[pyo3(from_py_with = whole)] n: i128) -> PyResult<Bound<'py, PyAny>> {
        let n = units(n, "n")?;
        this.py().import("oversleep._asyncio")?.call_method1("take", (this, n))
    }

    /// Waits for `n` units if they are due by `deadline` (monotonic seconds, or ns=); otherwise returns None at once.
    #[pyo3(signature = (n=1, deadline=None, *, ns=None))]
    fn take_by(
        &self,
        #[pyo3(from_py_with = whole)] n: i128,
        deadline: Option<&Bound<'_, PyAny>>,
        ns: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Lateness>> {
        let deadline = deadline_of(TimeArgument { what: "deadline", value: deadline, ns })?;
        let n = units(n, "n")?;
        match waited(|| self.pacer.take_by(n, deadline))? {
            Ok(lateness) => Ok(Some(Lateness(lateness))),
            Err(NotReady::Until(_)) => Ok(None),
            Err(never @ NotReady::BeyondBurst(_)) => Err(refused(never)),
        }
    }

    /// Takes `n` units if they are due now; returns whether they were. Never waits.
    #[pyo3(signature = (n=1))]
    fn try_take(&self, #[pyo3(from_py_with = whole)] n: i128) -> PyResult<bool> {
        match self.pacer.try_take(units(n, "n")?) {
            Ok(()) => Ok(true),
            Err(NotReady::Until(_)) => Ok(false),
            Err(never @ NotReady::BeyondBurst(_)) => Err(refused(never)),
        }
    }

    /// Takes the units that are due now, at most `limit`; returns how many. Never waits.
    fn take_due(&self, #[pyo3(from_py_with = whole)] limit: i128) -> PyResult<u64> {
        Ok(self.pacer.take_due(units(limit, "limit")?))
    }

    /// Waits until a unit has been due for `window`, then takes all that are due, at most `limit`; returns how many, at
    /// least 1 (0 at once if `limit` is 0).
    #[pyo3(signature = (limit, window=None))]
    fn take_batch(
        &self,
        #[pyo3(from_py_with = whole)] limit: i128,
        window: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let limit = units(limit, "limit")?;
        let window = keyword(window, "window")?.unwrap_or_default();
        waited(|| self.pacer.take_batch(limit, window))
    }

    /// When the next unit is due, nanoseconds on the monotonic clock.
    #[getter]
    fn next_due_ns(&self) -> i64 {
        self.pacer.next_due().as_nanos().get()
    }

    /// Units per second, exactly.
    #[getter]
    fn rate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rational::fraction(py, self.rate.numerator(), self.rate.denominator())
    }

    /// Units taken so far, including those that callers still wait for.
    #[getter]
    fn taken(&self) -> u64 {
        self.pacer.taken()
    }

    /// The time in which units were due and not taken although a burst was saved up already, nanoseconds.
    #[getter]
    fn forgone_ns(&self) -> i64 {
        Nanos::get(self.pacer.forgone())
    }

    /// How many units may go at once after an idle time.
    #[getter]
    fn burst(&self) -> u64 {
        self.pacer.burst()
    }

    fn __repr__(&self) -> String {
        format!("<Pacer: {} per second, burst {}, {} taken>", self.rate.as_f64(), self.burst(), self.taken())
    }
}
