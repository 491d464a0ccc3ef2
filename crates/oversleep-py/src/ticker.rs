//! The classes `Ticker`, `WallTicker` and `LockedTicker`.

use crate::closable::{Cancel, Closable, Schedule};
use crate::machine::PythonMachine;
use crate::rational::{fraction, refused};
use crate::sleep::deadline_of;
use crate::sleeper::{SleepStats, Sleeper};
use crate::tick::{Every, Tick, missed, period_in, period_of};
use oversleep::Period;
use oversleep_py_common::interval::TimeArgument;
use oversleep_py_common::number::{in_range, real, whole, whole_if_any};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Returns the sleeper that a ticker waits with: a copy of the one given, or a new one.
fn sleeper(given: Option<&Bound<'_, Sleeper>>) -> PyResult<oversleep::Sleeper<PythonMachine>> {
    given.map_or_else(|| Ok(oversleep::Sleeper::on(PythonMachine)), |sleeper| sleeper.get().copied())
}

/// Returns the module that awaits ticks. Programs without asyncio do not import it.
fn asyncio(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("oversleep._asyncio")
}

/// Defines a class of tickers with the methods that all of them have. (`PyO3` takes one block of methods per class.)
macro_rules! ticker {
    ($(#[$about:meta])* $name:ident($inner:ty), { $($own:tt)* }) => {
        $(#[$about])*
        #[pyclass(frozen, module = "oversleep")]
        #[derive(Debug)]
        pub(crate) struct $name(Closable<$inner>);

        #[pymethods]
        impl $name {
            $($own)*

            /// Waits for the next tick.
            fn tick(&self) -> PyResult<Tick> {
                self.0.tick()
            }

            /// Calls `callback` with every tick, `count` times or until the ticker is closed; returns how often.
            #[pyo3(signature = (callback, count=None))]
            fn run(
                &self,
                py: Python<'_>,
                callback: &Bound<'_, PyAny>,
                #[pyo3(from_py_with = whole_if_any)] count: Option<i128>,
            ) -> PyResult<u64> {
                self.0.run(py, callback, count)
            }

            /// Restarts the schedule after a pause: none of the ticks in it counts as missed.
            fn reset(&self) -> PyResult<()> {
                self.0.change(Schedule::reset)
            }

            /// Changes the rate. See `set_period`.
            fn set_rate(&self, rate: &Bound<'_, PyAny>) -> PyResult<()> {
                let period = period_of(rate)?;
                self.0.change(|ticker| Schedule::set_period(ticker, period))?.map_err(refused)
            }

            /// Changes the period: seconds, or ns=.
            #[pyo3(signature = (period=None, *, ns=None))]
            fn set_period(&self, period: Option<&Bound<'_, PyAny>>, ns: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
                let period = period_in(period, ns)?;
                self.0.change(|ticker| Schedule::set_period(ticker, period))?.map_err(refused)
            }

            /// Ticks per second, exactly.
            #[getter]
            fn rate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let rate = self.0.ask(|ticker| ticker.period().rate())?;
                fraction(py, rate.numerator(), rate.denominator())
            }

            /// Seconds between two ticks, exactly.
            #[getter]
            fn period<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let rate = self.0.ask(|ticker| ticker.period().rate())?;
                fraction(py, rate.denominator(), rate.numerator())
            }

            /// Returns the figures of the ticker's sleeper.
            fn stats(&self) -> PyResult<SleepStats> {
                self.0.ask(|ticker| SleepStats(ticker.stats()))
            }

            fn __repr__(&self) -> String {
                self.0.shown(stringify!($name))
            }

            fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
                this
            }

            fn __next__(&self) -> PyResult<Option<Tick>> {
                self.0.next()
            }

            fn __aiter__(this: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
                asyncio(this.py())?.call_method1("Ticks", (this,))
            }

            fn __aenter__(this: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
                asyncio(this.py())?.call_method1("returned", (this,))
            }

            #[pyo3(signature = (*_exception))]
            fn __aexit__<'py>(
                &self,
                py: Python<'py>,
                _exception: &Bound<'py, PyTuple>,
            ) -> PyResult<Bound<'py, PyAny>> {
                self.0.close();
                asyncio(py)?.call_method1("returned", (py.None(),))
            }

            /// Waits for the next tick; returns None, within 100 ms, once `cancel` is cancelled or the ticker closed.
            fn _tick(&self, cancel: &Cancel) -> PyResult<Option<Tick>> {
                self.0.next_unless(Some(cancel))
            }

            fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
                this
            }

            #[pyo3(signature = (*_exception))]
            fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
                self.0.close();
            }

            /// Ends the iteration: a thread or task that waits for a tick gets no more, and goes on within 100 ms. Any thread
            /// may call this.
            fn close(&self) {
                self.0.close();
            }

            /// Whether the ticker was closed.
            #[getter]
            fn closed(&self) -> bool {
                self.0.is_closed()
            }
        }
    };
}

ticker!(
    /// Ticks at start + n × period, exactly, the first one now; however late one is, the next is where it belongs.
    ///
    /// ``Ticker(rate=60)``: 60 ticks a second (also ``Fraction(60000, 1001)``, "60000/1001", 59.94).
    /// ``Ticker(period=0.01)``: one every 10 ms (an int, ``Fraction`` or ``timedelta`` is exact; of a float, the shortest
    /// decimal that stands for it). Or ``ns=``. Periods from 1 ns to 292 years, rates down to one in 31 years. Every argument
    /// has a name.
    ///
    /// ``missed`` ticks are handed out late (``burst``), left out and counted (``skip``),
    /// or begin the schedule anew (``delay``). ``start`` puts tick 0 elsewhere on the monotonic clock. Of ``sleeper`` the
    /// ticker keeps a copy, with its settings and what it has learned; the copy's account begins anew, and the original's
    /// counts no ticks.
    ///
    /// Iterate over it, call ``tick()``, or hand ``run()`` a function; ``with`` closes it. In asyncio, ``async for`` and
    /// ``async with``. One thread or task ticks; any thread may close. Once closed, no more ticks come: iteration and
    /// ``run()`` end, ``tick()``, ``reset()``, ``set_rate()`` and ``set_period()`` raise ``ValueError``, and what it knows can
    /// still be asked for. At the end of the clock's range, in 292 years, it closes itself.
    Ticker(oversleep::Ticker<PythonMachine>), {
    #[new]
    #[pyo3(
        signature = (*unnamed, rate=None, period=None, ns=None, missed="skip", start=None, start_ns=None, sleeper=None,
            **unknown),
        text_signature = "(*, rate=None, period=None, ns=None, missed='skip', start=None, start_ns=None, sleeper=None)"
    )]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn new(
        unnamed: &Bound<'_, PyTuple>,
        rate: Option<&Bound<'_, PyAny>>,
        period: Option<&Bound<'_, PyAny>>,
        ns: Option<&Bound<'_, PyAny>>,
        missed: &str,
        start: Option<&Bound<'_, PyAny>>,
        start_ns: Option<&Bound<'_, PyAny>>,
        sleeper: Option<&Bound<'_, Sleeper>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let arguments = "missed, start, start_ns, sleeper";
        let period = Every { class: "Ticker", arguments, period, ns, rate, unnamed, unknown };
        let period = period.or(None)?;
        let mut builder = oversleep::Ticker::builder(period).missed(self::missed(missed)?);
        if start.is_some() || start_ns.is_some() {
            builder = builder.starting_at(deadline_of(TimeArgument { what: "start", value: start, ns: start_ns })?);
        }
        Ok(Self(Closable::new(builder.build_with(self::sleeper(sleeper)?))))
    }

    /// When the next tick is due, nanoseconds on the monotonic clock; None when none will come.
    #[getter]
    fn next_deadline_ns(&self) -> PyResult<Option<i64>> {
        if self.0.is_closed() {
            return Ok(None);
        }
        self.0.ask(|ticker| ticker.next_deadline().map(|due| due.as_nanos().get()))
    }
});

ticker!(
    /// Ticks when the wall clock reads a multiple of the period (a second unless given) plus ``phase``.
    ///
    /// ``phase``: shorter than the period; negative: so long before each multiple. Leap smear and steering are followed;
    /// steps and suspensions are told in the tick. See ``Ticker`` for the rest.
    WallTicker(oversleep::WallTicker<PythonMachine>), {
    #[new]
    #[pyo3(
        signature = (*unnamed, rate=None, period=None, ns=None, phase=None, missed="skip", sleeper=None, **unknown),
        text_signature = "(*, rate=None, period=None, ns=None, phase=None, missed='skip', sleeper=None)"
    )]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn new(
        unnamed: &Bound<'_, PyTuple>,
        rate: Option<&Bound<'_, PyAny>>,
        period: Option<&Bound<'_, PyAny>>,
        ns: Option<&Bound<'_, PyAny>>,
        phase: Option<&Bound<'_, PyAny>>,
        missed: &str,
        sleeper: Option<&Bound<'_, Sleeper>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let arguments = "phase, missed, sleeper";
        let period = Every { class: "WallTicker", arguments, period, ns, rate, unnamed, unknown };
        let period = period.or(Some(Period::hz(1)))?;
        let phase = TimeArgument { what: "phase", value: phase, ns: None }.optional()?.unwrap_or_default();
        if !["burst", "skip"].contains(&missed) {
            return Err(PyValueError::new_err(match missed {
                "delay" => "a WallTicker's missed is 'burst' or 'skip': 'delay' would leave the clock".to_owned(),
                other => format!("a WallTicker's missed is 'burst' or 'skip', not '{other}'"),
            }));
        }
        let builder = oversleep::WallTicker::builder(period).phase(phase).missed(self::missed(missed)?);
        Ok(Self(Closable::new(builder.try_build_with(self::sleeper(sleeper)?).map_err(refused)?)))
    }
});

ticker!(
    /// Even ticks on the monotonic clock, kept to the wall clock's phase and pace by a phase-locked loop.
    ///
    /// ``time_constant``: of the loop, in ticks, from 2. ``max_slew_ppm``: the most by which an interval may differ
    /// from the period, 1 to 100 000 parts per million. Who comes late is handed the ticks in between one after the
    /// other. See ``Ticker`` for the rest.
    LockedTicker(oversleep::ticker::LockedTicker<PythonMachine>), {
    #[new]
    #[pyo3(
        signature = (*unnamed, rate=None, period=None, ns=None, time_constant=16, max_slew_ppm=500.0, sleeper=None,
            **unknown),
        text_signature = "(*, rate=None, period=None, ns=None, time_constant=16, max_slew_ppm=500.0, sleeper=None)"
    )]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn new(
        unnamed: &Bound<'_, PyTuple>,
        rate: Option<&Bound<'_, PyAny>>,
        period: Option<&Bound<'_, PyAny>>,
        ns: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole)] time_constant: i128,
        #[pyo3(from_py_with = real)] max_slew_ppm: f64,
        sleeper: Option<&Bound<'_, Sleeper>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let arguments = "time_constant, max_slew_ppm, sleeper";
        let period = Every { class: "LockedTicker", arguments, period, ns, rate, unnamed, unknown };
        let period = period.or(Some(Period::hz(1)))?;
        let ticks = in_range(time_constant, "time_constant", 2, u32::MAX.into())?;
        let builder = oversleep::ticker::LockedTicker::builder(period).time_constant(ticks).max_slew(max_slew_ppm);
        Ok(Self(Closable::new(builder.try_build_with(self::sleeper(sleeper)?).map_err(refused)?)))
    }

    /// The wall clock's reading at the latest tick minus the reading that was due, nanoseconds.
    #[getter]
    fn phase_error_ns(&self) -> PyResult<i64> {
        self.0.ask(|ticker| ticker.phase_error().get())
    }

    /// Whether the lock time has passed since the start or the last jump, and the wall clock is within what the loop
    /// may move in one time constant.
    #[getter]
    fn is_locked(&self) -> PyResult<bool> {
        self.0.ask(oversleep::ticker::LockedTicker::is_locked)
    }
});
